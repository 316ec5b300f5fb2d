package dev.assay.domain.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.statistics.comparison.FindableDifference;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.forecast.PrecisionForecast;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Is a difference found as often as is said? */
class FindableDifferenceTest {

    private static final double ICC = 0.5;
    private static final double CORRELATION = 0.5;
    private static final int QUANTILES = 2_000;
    private static final int CAMPAIGNS = 4_000;

    private final SplittableRandom random = new SplittableRandom(1);

    private static FindableDifference drops(double rate, int trials, double power) {
        PrecisionForecast forecast = new PrecisionForecast(trials, rate, ICC, CORRELATION);
        return new FindableDifference(drop -> forecast.pairVariance(rate - drop), rate, power, 0.95);
    }

    @Test
    void shouldSatisfyItsEquationAndNeedAsManyCasesAsItWasAskedAbout() {
        FindableDifference findable = drops(0.8, 2, 0.8);
        double found = requireNonNull(findable.smallest(50));

        double variance = new PrecisionForecast(2, 0.8, ICC, CORRELATION).pairVariance(0.8 - found);
        double centre = 50 * found / 54;
        double spread = (50 * (variance + found * found) + 2) / 54 - centre * centre;
        assertThat(centre - 1.959963985 * Math.sqrt(spread / 54))
                .isCloseTo(0.841621234 * Math.sqrt(50 * variance) / 54, within(1e-9));
        assertThat(findable.casesNeeded(-found)).isEqualTo(50);
        assertThat(drops(0.8, 2, 0.95).smallest(50)).isGreaterThan(found);
    }

    @Test
    void shouldFindNothingWhenNoDifferenceIsPossibleOrCasesAreTooFew() {
        assertThat(drops(0.8, 1, 0.8).smallest(3)).isNull();
        assertThat(drops(0, 5, 0.8).smallest(1_000)).isNull();
        assertThat(drops(0.05, 5, 0.8).casesNeeded(-0.06)).isNull();
        assertThat(drops(0.8, 5, 0.8).casesNeeded(-1e-9)).isNull();
        assertThat(drops(0.8, 5, 0.8).casesToRuleOut(0)).isNull();
        assertThat(drops(0.8, 5, 0.8).smallest(FindableDifference.MOST_CASES)).isLessThan(1e-4);
    }

    @Test
    void shouldNeedFewerCasesWhenTheDifferenceIsLarger() {
        Long before = FindableDifference.MOST_CASES;
        for (double drop : new double[] {0.001, 0.01, 0.05, 0.2, 0.5, 0.8}) {
            Long needed = drops(0.8, 3, 0.8).casesNeeded(drop);
            assertThat(needed).isLessThan(before);
            assertThat(drops(0.8, 3, 0.8).smallest(requireNonNull(needed))).isLessThanOrEqualTo(drop);
            before = needed;
        }
    }

    /** 24 settings whose truth is known: two branches whose case rates are Beta-distributed and correlated. */
    @Test
    @Tag("slow")
    @Timeout(120)
    void shouldFindTheDifferenceInFourOfFiveComparisons() {
        Map<String, Double> powers = new TreeMap<>();
        for (int cases : new int[] {28, 50, 100, 200}) {
            for (int trials : new int[] {1, 5}) {
                for (double rate : new double[] {0.6, 0.8, 0.95}) {
                    double drop = requireNonNull(drops(rate, trials, 0.8).smallest(cases));
                    powers.put(
                            cases + " x " + trials + " from " + rate + " by " + drop, power(cases, trials, rate, drop));
                }
            }
        }
        System.out.println("power of what is found: " + powers);
        assertThat(powers).hasSize(24);
        assertThat(powers.values()).allSatisfy(power -> assertThat(power).isBetween(0.78, 0.90));
    }

    private double power(int cases, int trials, double rate, double drop) {
        double[] base = quantiles(rate);
        double[] other = quantiles(rate - drop);
        // Rates of the same rank are not quite proportional: so often must they have it for the correlation that is
        // assumed.
        double alike = CORRELATION / correlation(base, other);
        int found = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            double[] first = new double[cases];
            double[] second = new double[cases];
            for (int i = 0; i < cases; i++) {
                int place = random.nextInt(QUANTILES);
                int otherPlace = random.nextDouble() < alike ? place : random.nextInt(QUANTILES);
                first[i] = passed(base[place], trials);
                second[i] = passed(other[otherPlace], trials);
            }
            Interval interval =
                    requireNonNull(PairedDifference.of(first, second, 0.95).interval());
            found += interval.high() < 0 ? 1 : 0;
        }
        return (double) found / CAMPAIGNS;
    }

    private static double correlation(double[] first, double[] second) {
        double firstMean = Arrays.stream(first).average().orElseThrow();
        double secondMean = Arrays.stream(second).average().orElseThrow();
        double both = 0;
        double one = 0;
        double other = 0;
        for (int i = 0; i < first.length; i++) {
            both += (first[i] - firstMean) * (second[i] - secondMean);
            one += (first[i] - firstMean) * (first[i] - firstMean);
            other += (second[i] - secondMean) * (second[i] - secondMean);
        }
        return both / Math.sqrt(one * other);
    }

    private double passed(double chance, int trials) {
        int passed = 0;
        for (int i = 0; i < trials; i++) {
            passed += random.nextDouble() < chance ? 1 : 0;
        }
        return (double) passed / trials;
    }

    private static double[] quantiles(double mean) {
        double size = (1 - ICC) / ICC;
        BetaDistribution rates = BetaDistribution.of(mean * size, (1 - mean) * size);
        double[] quantiles = new double[QUANTILES];
        for (int i = 0; i < QUANTILES; i++) {
            quantiles[i] = rates.inverseCumulativeProbability((i + 0.5) / QUANTILES);
        }
        return quantiles;
    }
}
