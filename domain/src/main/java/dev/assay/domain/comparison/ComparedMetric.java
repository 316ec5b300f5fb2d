package dev.assay.domain.comparison;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.RatioOfMeans;
import org.jspecify.annotations.Nullable;

/**
 * One number of two, on the cases that they share. The names are those of its JSON.
 *
 * @param name {@code trial-rate}, {@code cases-passed}, the name of a reducer, {@code tokens}, {@code cost} or {@code latency}; for
 *     the trial rate on the cases with a tag, the tag
 * @param a its value with the first
 * @param b its value with the second
 * @param ratio how many times as much b takes, of tokens, cost and latency; null for rates
 * @param p two-sided p-value of no difference, by what is known; null where there is no test
 * @param pHolm the same, adjusted for all metrics, or all tags, of the comparison (Holm 1979)
 * @param why why a number or an interval is missing; null: none is
 */
public record ComparedMetric(
        String name,
        ComparedValue a,
        ComparedValue b,
        Difference difference,
        @Nullable Difference ratio,
        @Nullable Double p,
        @Nullable Double pHolm,
        @Nullable Test test,
        @Nullable Why why) {

    /** The test that found a p-value. */
    public enum Test {
        @JsonProperty("sign-flip")
        SIGN_FLIP,
        @JsonProperty("sign-flip-normal")
        SIGN_FLIP_NORMAL,
        /** The two have another number of known trials in a case. */
        @JsonProperty("sign-flip-studentised")
        SIGN_FLIP_STUDENTISED,
        @JsonProperty("mcnemar")
        MCNEMAR,
        /** Of scores. */
        @JsonProperty("paired-t")
        PAIRED_T,
        /** Of cases that are related, leaving out one group at a time. */
        @JsonProperty("group-jackknife")
        GROUP_JACKKNIFE
    }

    /** The reason why a number or an interval is missing. */
    public enum Why {
        /** The two plan another number of trials: a case passes the more easily the fewer trials it has. */
        UNEQUAL_TRIALS,
        /** All cases belong to one group, which tells next to nothing of others. */
        ONE_GROUP,
        /** There is no case of which both have what the number needs. */
        MISSING_EVIDENCE,
        /** The cost of a trial is not known. */
        UNKNOWN_COST,
        /** The first takes nothing: nothing is a multiple of that. */
        BASE_IS_ZERO
    }

    /**
     * b − a, or b / a.
     *
     * @param value null when no case has one
     * @param low lower end of its interval for other cases like these; null where it has none
     * @param known of rates: the mean over {@code knownCases} of the difference of what is known; null without such a case
     * @param knownCases the shared cases of which both have a known trial, for cases passed as many known trials; null where that
     *     is no question
     * @param cases the shared cases with a value on both sides
     * @param groups of how many groups of related cases; null: cases are not related
     * @param level how often such intervals cover the true difference, 0–1
     */
    public record Difference(
            @Nullable Double value,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable Double known,
            @Nullable Integer knownCases,
            int cases,
            @Nullable Integer groups,
            double level) {

        /** No difference. */
        static final Difference NONE = new Difference(null, null, null, null, null, 0, null, Quantiles.LEVEL);

        static Difference of(PairedDifference difference, PairedRates.@Nullable Known known, @Nullable Integer groups) {
            Interval interval = difference.interval();
            return new Difference(
                    difference.value(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    known == null ? null : known.value(),
                    known == null ? null : (Integer) known.cases(),
                    difference.cases(),
                    groups,
                    Quantiles.LEVEL);
        }

        static Difference of(RatioOfMeans ratio, @Nullable Integer groups) {
            Interval interval = ratio.interval();
            return new Difference(
                    ratio.value(),
                    interval == null ? null : interval.low(),
                    interval == null ? null : interval.high(),
                    null,
                    null,
                    ratio.cases(),
                    groups,
                    Quantiles.LEVEL);
        }
    }

    /** A metric that has no number. */
    static ComparedMetric none(String name, Why why) {
        return new ComparedMetric(
                name, ComparedValue.NONE, ComparedValue.NONE, Difference.NONE, null, null, null, null, why);
    }

    /** Why a difference has no interval; null: it has one. */
    static @Nullable Why why(Difference difference) {
        if (difference.value() == null) {
            return Why.MISSING_EVIDENCE;
        }
        return Integer.valueOf(1).equals(difference.groups()) ? Why.ONE_GROUP : null;
    }

    ComparedMetric withHolm(@Nullable Double adjusted) {
        return new ComparedMetric(name, a, b, difference, ratio, p, adjusted, test, why);
    }
}
