package dev.assay.store.cell;

/**
 * A worker's claim on a cell, which entitles it to write the cell's results.
 *
 * @param epoch the campaign's epoch in which it was claimed
 */
public record CellClaim(CellKey cell, int epoch, String workerId) {}
