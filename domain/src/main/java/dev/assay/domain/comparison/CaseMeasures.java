package dev.assay.domain.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mean usage of the trials of one case, and their scores. A mean of costs is a statistic, not an amount that is owed, so
 * doubles hold it.
 *
 * @param tokens of a trial, input and output together, at least 0; null: none was asked, or a program did not report its own
 * @param costUsd of a trial, in US dollars, at least 0, by the trials whose cost is known; null: none was asked
 * @param unpriced trials whose cost is not known
 * @param latencyMs of a trial that was answered or timed out, in milliseconds, at least 0; null: there is none. A time-out counts as
 *     the time limit, which is longer than all that were measured
 * @param scores 0–1, of the trials of which something is known, in any order; empty where they were not asked for
 */
public record CaseMeasures(
        @Nullable Double tokens,
        @Nullable Double costUsd,
        int unpriced,
        @Nullable Double latencyMs,
        List<Double> scores) {

    static final CaseMeasures NONE = new CaseMeasures(null, null, 0, null, List.of());

    public CaseMeasures {
        scores = List.copyOf(scores);
    }
}
