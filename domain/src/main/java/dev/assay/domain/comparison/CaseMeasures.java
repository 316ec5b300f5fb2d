package dev.assay.domain.comparison;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The mean usage of the trials of one case, and their scores. A mean of costs is a statistic, not an amount that is owed, so
 * doubles hold it.
 *
 * @param errors trials that ended in an error
 * @param tokens of a trial, input and output together; null: none were used
 * @param costUsd of a trial, in US dollars; null: nothing was paid, or a price is not known
 * @param latencyMs of a trial that was answered, in milliseconds; null: none was, or it took no time
 * @param scores 0–1, of the trials of which something is known, in any order; empty where they were not asked for
 */
public record CaseMeasures(
        int errors,
        @Nullable Double tokens,
        @Nullable Double costUsd,
        @Nullable Double latencyMs,
        List<Double> scores) {

    static final CaseMeasures NONE = new CaseMeasures(0, null, null, null, List.of());

    public CaseMeasures {
        scores = List.copyOf(scores);
    }
}
