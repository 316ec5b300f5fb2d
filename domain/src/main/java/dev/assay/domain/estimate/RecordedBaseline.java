package dev.assay.domain.estimate;

/**
 * The trials of the campaign beside which a planned one stands.
 *
 * @param rate the mean over the shared cases of their known pass rates, 0–1
 * @param trials of each case, at least 1
 * @param shared cases that both have, with the same content
 */
public record RecordedBaseline(double rate, int trials, int shared) {}
