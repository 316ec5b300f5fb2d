package dev.assay.domain.check.rule;

/**
 * A score under a name of its own, which a check says beside its own score.
 *
 * @param score finite, of any size
 * @param weight how much it counts in the mean of its name, finite, at least 0
 */
public record NamedScore(double score, double weight) {}
