package dev.assay.store.result;

/**
 * How the trials of a campaign were decided.
 *
 * @param selected trials with a recorded selection
 * @param decided of these, the ones that count as a win
 * @param fallback of these, the ones in which the strategy took its stated default
 */
public record SelectionCounts(long selected, long decided, long fallback) {}
