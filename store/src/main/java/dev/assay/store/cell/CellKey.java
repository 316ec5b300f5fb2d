package dev.assay.store.cell;

import dev.assay.domain.campaign.CellKind;

/**
 * The key of a cell.
 *
 * @param slot the branch's index, or the number of the judge call, from 0
 */
public record CellKey(String campaignId, int ordinal, CellKind kind, int slot) {}
