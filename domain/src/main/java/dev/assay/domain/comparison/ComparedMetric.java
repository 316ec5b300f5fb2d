package dev.assay.domain.comparison;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRatio;
import org.jspecify.annotations.Nullable;

/**
 * One number of two, on the cases that they share. The names are those of its JSON.
 *
 * @param name {@code trial-rate}, {@code cases-passed}, the name of a reducer, {@code tokens}, {@code cost} or {@code latency}; for
 *     the trial rate on the cases with a tag, the tag
 * @param a its value with the first
 * @param b its value with the second
 * @param difference b − a
 * @param ratio how many times as much b takes, of tokens, cost and latency; null for rates
 * @param p two-sided p-value of no difference; null where there is no test
 * @param pHolm the same, adjusted for all metrics, or all tags, of the comparison (Holm 1979)
 * @param test how p was found
 */
public record ComparedMetric(
        String name,
        ComparedValue a,
        ComparedValue b,
        Difference difference,
        @Nullable Difference ratio,
        @Nullable Double p,
        @Nullable Double pHolm,
        @Nullable Test test) {

    /** The test that found a p-value. */
    public enum Test {
        @JsonProperty("sign-flip")
        SIGN_FLIP,
        @JsonProperty("sign-flip-normal")
        SIGN_FLIP_NORMAL,
        @JsonProperty("mcnemar")
        MCNEMAR
    }

    /**
     * b − a, or b / a.
     *
     * @param value null when no case has one
     * @param low lower end of its interval for other cases like these; null where it has none
     * @param high upper end
     * @param cases the shared cases with a value on both sides
     * @param level how often such intervals cover the true difference, 0–1
     */
    public record Difference(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            int cases,
            double level) {

        static Difference of(PairedDifference difference, double level) {
            Interval interval = difference.interval();
            return new Difference(
                    difference.value(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    difference.cases(),
                    level);
        }

        static Difference of(PairedRatio ratio, double level) {
            Interval interval = ratio.interval();
            return new Difference(
                    ratio.value(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    ratio.cases(),
                    level);
        }
    }

    ComparedMetric withHolm(@Nullable Double adjusted) {
        return new ComparedMetric(name, a, b, difference, ratio, p, adjusted, test);
    }
}
