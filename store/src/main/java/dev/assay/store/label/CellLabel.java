package dev.assay.store.label;

import dev.assay.domain.label.Label;

/**
 * A label in force, and the cell of a campaign that holds its draw.
 *
 * @param trial which repetition, from 1
 * @param number of the label, which orders those of one cell
 */
public record CellLabel(
        int ordinal, int branchIndex, String caseId, String branchId, int trial, long number, Label label) {}
