package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.ClopperPearson;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.TrialRate;
import org.jspecify.annotations.Nullable;

/**
 * A share, with its denominator and its interval.
 *
 * <p>What is not known yet counts as no success, so {@code value} is what is certain. The interval covers both ways in which it can
 * turn out. It is the exact interval at 95 % ({@link ClopperPearson}) of observations that are independent. Its lower end takes
 * everything unknown for no success, its upper end for a success.
 *
 * @param successes at least 0
 * @param unknown how many of the denominator could still turn out either way, at least 0
 * @param denominator of how many, at least 0
 * @param value {@code successes / denominator}, for trials the mean over cases of that, 0–1; null when the denominator is 0
 * @param low lower end of the interval, 0–1; null when the denominator is 0
 * @param high upper end of the interval, 0–1; null when the denominator is 0
 * @param known the rate of what is known: {@code successes / (denominator − unknown)}, for trials the mean over cases of that; null
 *     when nothing is, and in older summaries
 * @param asked how many of the denominator ended in an answer or an error; null where that is no question, and in older summaries
 * @param clusters what is known because the observations belong to cases
 */
public record Proportion(
        int successes,
        int unknown,
        int denominator,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double known,
        @Nullable Integer asked,
        @JsonUnwrapped RateBasis basis,
        @JsonUnwrapped RateClusters clusters) {

    public Proportion {
        basis = basis == null ? RateBasis.NONE : basis;
        clusters = clusters == null ? RateClusters.NONE : clusters;
        if (successes < 0 || unknown < 0 || denominator < 0 || successes > denominator - unknown) {
            throw new IllegalArgumentException(
                    successes + " successes and " + unknown + " unknown of " + denominator + " make no rate");
        }
    }

    /** The rate of {@code successes} when everything is known. */
    public static Proportion of(int successes, int denominator) {
        return of(successes, 0, denominator);
    }

    /** The rate of {@code successes} when {@code unknown} could still turn out either way. */
    public static Proportion of(int successes, int unknown, int denominator) {
        if (denominator == 0) {
            return new Proportion(
                    successes, unknown, 0, null, null, null, null, null, RateBasis.NONE, RateClusters.NONE);
        }
        CaseCounts counts = new CaseCounts(successes, unknown, denominator);
        return of(counts, counts, null);
    }

    /**
     * The rate of observations that may have been drawn again.
     *
     * @param counts what the point is made of
     * @param bounds what the interval covers, of as many observations
     * @param asked how many ended in an answer or an error; null where that is no question
     */
    public static Proportion of(CaseCounts counts, CaseCounts bounds, @Nullable Integer asked) {
        int of = counts.planned();
        Interval certain = ClopperPearson.of(bounds.lowest(), of);
        Interval best = bounds.unknown() == 0 ? certain : ClopperPearson.of(bounds.highest(), of);
        return new Proportion(
                counts.passed(),
                counts.unknown(),
                of,
                counts.lowest(),
                certain.low(),
                best.high(),
                counts.known() == 0 ? null : (Double) ((double) counts.passed() / counts.known()),
                asked,
                new RateBasis(null, null, Quantiles.LEVEL, RateBasis.Method.CLOPPER_PEARSON, null),
                new RateClusters((double) of, null, null, null, null, null));
    }

    /**
     * The rate of trials that belong to cases, at 95 %: the mean over the cases of their rates. {@code low} and {@code high} hold
     * for other cases like these, the ends in {@code clusters} for these very cases, run again.
     *
     * @param errors trials that ended in an error; they did not pass, or are unknown
     */
    public static Proportion ofTrials(TrialRate rate, int errors) {
        return ofTrials(rate, rate, errors, null);
    }

    /**
     * As {@link #ofTrials(TrialRate, int)}, of trials that may have been drawn again.
     *
     * @param points what the point is made of
     * @param bounds what the interval covers, of the same cases
     * @param asked trials that ended in an answer or an error; null where that is no question
     */
    public static Proportion ofTrials(TrialRate points, TrialRate bounds, int errors, @Nullable Integer asked) {
        TrialRate.Counts counts = points.counts();
        Interval population = bounds.population();
        Interval suite = bounds.suite();
        if (population == null || suite == null) {
            return of(0, 0);
        }
        return new Proportion(
                Math.toIntExact(counts.passed()),
                Math.toIntExact(counts.unknown()),
                Math.toIntExact(counts.trials()),
                points.value(),
                population.low(),
                population.high(),
                points.known(),
                asked,
                new RateBasis(counts.cases(), errors, Quantiles.LEVEL, RateBasis.Method.KORN_GRAUBARD, why(counts)),
                new RateClusters(
                        bounds.effective(),
                        points.icc(),
                        bounds.designEffect(),
                        suite.low(),
                        suite.high(),
                        counts.groups()));
    }

    private static RateBasis.@Nullable Why why(TrialRate.Counts counts) {
        if (counts.cases() == 1) {
            return RateBasis.Why.ONE_CASE;
        }
        return Integer.valueOf(1).equals(counts.groups()) ? RateBasis.Why.ONE_GROUP : null;
    }

    /**
     * The verdict on the rate. PASS: it reaches {@code threshold} even if nothing unknown is a success. FAIL: it does not even if
     * all of it is. Else INCONCLUSIVE.
     *
     * @param threshold 0–1
     */
    public static Verdict verdict(int successes, int unknown, int denominator, double threshold) {
        Threshold share = new Threshold(threshold);
        if (share.isReached(successes, denominator)) {
            return Verdict.PASS;
        }
        return share.isReached(successes + unknown, denominator) ? Verdict.INCONCLUSIVE : Verdict.FAIL;
    }
}
