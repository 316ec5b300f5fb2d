package dev.assay.domain.scoring;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.comparison.PairedDifference;
import org.jspecify.annotations.Nullable;

/**
 * The pass rate after minus that before, on average over cases. The names are those of its JSON.
 *
 * @param value −1 … 1; null where nothing is compared
 * @param low lower end of the interval for other cases like these; null as {@code value}
 * @param high its upper end
 * @param cases of which an answer is compared
 */
public record ScoredDifference(
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        int cases) {

    static ScoredDifference of(PairedDifference difference) {
        Interval interval = difference.interval();
        return new ScoredDifference(
                difference.value(),
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high(),
                difference.cases());
    }
}
