package dev.assay.store.delivery;

/**
 * What became of a batch that was to be made.
 *
 * @param lines that are in it; 0: there is no batch
 * @param overBudget whether the campaign's budget does not cover the next line
 */
public record EnlistedLines(int lines, boolean overBudget) {}
