package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Jackknife;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The difference of mean scores of two on the cases that they share, with the paired t interval and test (Student 1908).
 * The interval is {@code d̄ ∓ t s / √K} with K − 1 degrees of freedom. Where all differences are equal s says nothing: interval and p are those of
 * {@link PlusFour}. Related cases are left out group by group ({@link Jackknife}).
 *
 * @param difference of the second over the first; its interval is null with one group
 * @param p two-sided p-value of no difference; null without a case, and with one group
 */
public record PairedScores(
        PairedDifference difference, @Nullable Double p, Test test) {

    private static final Interval LIMITS = new Interval(-1, 1);

    /** Rounding alone moves differences of means by less. */
    private static final double ROUNDING = 1e-12;

    /** The test that found a p-value. */
    public enum Test {
        /** The paired t test. */
        PAIRED_T,
        /** {@link PlusFour}: trials differ in a case, or all differences are equal. */
        STUDENTISED,
        /** {@link GroupedDifference}: cases are related. */
        JACKKNIFE
    }

    /**
     * The difference.
     *
     * @param first the mean score of each shared case, 0–1
     * @param second its mean score with the second, in the same order
     * @param groups the group of each case; null: cases are not related
     * @param balanced whether both have as many scored trials in each case; else differences lean to one side without an effect
     * @param level above 0 and below 1
     */
    public static PairedScores of(
            double[] first, double[] second, @Nullable List<String> groups, boolean balanced, double level) {
        PairedDifference cautious = PairedDifference.of(first, second, level);
        double[] differences = new double[first.length];
        Arrays.setAll(differences, i -> second[i] - first[i]);
        Double value = cautious.value();
        if (value == null) {
            return new PairedScores(cautious, null, Test.PAIRED_T);
        }
        if (groups != null) {
            GroupedDifference grouped = GroupedDifference.of(differences, groups);
            return new PairedScores(
                    new PairedDifference(value, grouped.interval(level), first.length),
                    grouped.p(!balanced),
                    Test.JACKKNIFE);
        }
        Arrays.sort(differences);
        if (!balanced || differences[differences.length - 1] - differences[0] <= ROUNDING) {
            return new PairedScores(cautious, PlusFour.of(differences).p(), Test.STUDENTISED);
        }
        return student(differences, value, level);
    }

    private static PairedScores student(double[] sorted, double value, double level) {
        int cases = sorted.length;
        double[] deviations = Arrays.stream(sorted).map(one -> one - value).toArray();
        double error = Math.sqrt(Sum.ofProducts(deviations, deviations).getAsDouble() / (cases * (cases - 1.0)));
        Interval interval = Interval.around(value, Quantiles.student(cases - 1, level) * error, LIMITS);
        return new PairedScores(
                new PairedDifference(value, interval, cases),
                Quantiles.studentBeyond(value / error, cases - 1),
                Test.PAIRED_T);
    }
}
