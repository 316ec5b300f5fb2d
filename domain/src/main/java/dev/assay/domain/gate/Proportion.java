package dev.assay.domain.gate;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
 * @param basis what the interval rests on
 * @param clusters what is known because the observations belong to cases
 */
public record Proportion(
        int successes,
        int unknown,
        int denominator,
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
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
            return new Proportion(successes, unknown, 0, null, null, null, RateBasis.NONE, RateClusters.NONE);
        }
        double value = (double) successes / denominator;
        Interval certain = ClopperPearson.of(value, denominator);
        Interval best =
                unknown == 0 ? certain : ClopperPearson.of((double) (successes + unknown) / denominator, denominator);
        return new Proportion(
                successes,
                unknown,
                denominator,
                value,
                certain.low(),
                best.high(),
                new RateBasis(null, null, Quantiles.LEVEL, RateBasis.Method.CLOPPER_PEARSON, null),
                new RateClusters((double) denominator, null, null, null, null, null));
    }

    /**
     * The rate of trials that belong to cases, at 95 %: the mean over the cases of their rates. {@code low} and {@code high} hold
     * for other cases like these, the ends in {@code clusters} for these very cases, run again.
     *
     * @param errors trials that ended in an error; they did not pass, or are unknown
     */
    public static Proportion ofTrials(TrialRate rate, int errors) {
        TrialRate.Counts counts = rate.counts();
        Interval population = rate.population();
        Interval suite = rate.suite();
        if (population == null || suite == null) {
            return of(0, 0);
        }
        return new Proportion(
                Math.toIntExact(counts.passed()),
                Math.toIntExact(counts.unknown()),
                Math.toIntExact(counts.trials()),
                rate.value(),
                population.low(),
                population.high(),
                new RateBasis(counts.cases(), errors, Quantiles.LEVEL, RateBasis.Method.KORN_GRAUBARD, why(counts)),
                new RateClusters(
                        rate.effective(), rate.icc(), rate.designEffect(), suite.low(), suite.high(), counts.groups()));
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
