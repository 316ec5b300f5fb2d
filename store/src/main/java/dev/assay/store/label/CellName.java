package dev.assay.store.label;

import org.jspecify.annotations.Nullable;

/**
 * A cell of a campaign as people name it.
 *
 * @param branchId null: the only one
 * @param trial from 1
 */
public record CellName(String caseId, @Nullable String branchId, int trial) {}
