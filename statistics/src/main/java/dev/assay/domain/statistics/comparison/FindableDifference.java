package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Halving;
import dev.assay.domain.statistics.Quantiles;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The differences that the interval of a {@link PairedDifference} finds. Such a difference puts the interval on its side of 0 as
 * often as {@code power} says.
 *
 * <p>A difference d is found by K cases when {@code K d / (K + 4) − z √(V⁺ / (K + 4)) ≥ z_p √(K v) / (K + 4)}. On the left is the
 * end of the interval where all turns out as expected, with {@code V⁺ = (K (v + d²) + 2) / (K + 4) − (K d / (K + 4))²}. On the right
 * is how far chance moves it. z and z_p are the normal quantiles of the level and of the power.
 *
 * @param variance of the difference of one case, at least 0, by the size of the true mean difference, 0–1
 * @param most the largest difference that can be, 0–1: a rate has so far to fall, or to rise
 * @param power how often a difference must be found, above 0 and below 1
 * @param level of the interval, above 0 and below 1
 */
public record FindableDifference(DoubleUnaryOperator variance, double most, double power, double level) {

    /** A number of cases beyond which no campaign goes. */
    public static final long MOST_CASES = 1_000_000_000;

    private static final int STEPS = 1_000;

    /** The reason why there is no number. The names are those of the JSON. */
    public enum Why {
        /** No difference that is possible would be found, or no number of cases would find it. */
        NONE_FINDABLE
    }

    /** The smallest difference that {@code cases}, at least 1, find, above 0 and at most 1; null when they find none. */
    public @Nullable Double smallest(long cases) {
        double before = 0;
        for (int step = 1; step <= STEPS; step++) {
            double difference = most * step / STEPS;
            if (isFound(difference, cases)) {
                return Halving.least(before, difference, middle -> isFound(middle, cases));
            }
            before = difference;
        }
        return null;
    }

    /** The cases that find {@code difference}, above 0, whose sign does not count; null when {@link #MOST_CASES} do not. */
    public @Nullable Long casesNeeded(double difference) {
        double size = Math.abs(difference);
        return size > most ? null : least(cases -> isFound(size, cases));
    }

    /** The cases that rule out a loss of {@code margin}, 0–1, when there is no difference; null when {@link #MOST_CASES} do not. */
    public @Nullable Long casesToRuleOut(double margin) {
        double alike = variance.applyAsDouble(0);
        return least(cases -> {
            PlusFour expected = PlusFour.of(0, cases * alike, cases);
            double half = Quantiles.normal(level) * expected.error();
            return half + Quantiles.below(power) * Math.sqrt(cases * alike) / expected.cases() <= margin;
        });
    }

    private boolean isFound(double difference, long cases) {
        double one = variance.applyAsDouble(difference);
        PlusFour expected = PlusFour.of(cases * difference, cases * (one + difference * difference), cases);
        double end = expected.centre() - Quantiles.normal(level) * expected.error();
        return end >= Quantiles.below(power) * Math.sqrt(cases * one) / expected.cases();
    }

    /** The least number that is enough: all above it are enough, too. */
    private static @Nullable Long least(LongPredicate enough) {
        if (!enough.test(MOST_CASES)) {
            return null;
        }
        long low = 0;
        long high = MOST_CASES;
        while (high - low > 1) {
            long middle = (low + high) >>> 1;
            if (enough.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }
}
