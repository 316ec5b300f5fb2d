package dev.assay.domain.report;

import dev.assay.domain.outcome.OutcomeStatus;

/**
 * Outcomes of one branch that ended in the same way after the same time.
 *
 * @param branchIndex 0-based
 * @param status how they ended
 * @param latencyMs milliseconds of the attempt that ended each cell, at least 0
 * @param outcomes how many, at least 1
 * @param spend what they used together
 */
public record SpendGroup(int branchIndex, OutcomeStatus status, long latencyMs, int outcomes, Spend spend) {}
