package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The true mean, from people's labels on a random sample of what a judge judged. The method is prediction-powered inference (PPI++,
 * Angelopoulos et al. 2023) with the variance by case.
 *
 * <p>Let y be the person and f the judge. Let r be the mean of y − λ f over the labelled, and F the mean of f over the rest. The
 * mean is λ F + r. A labelled trial contributes {@code ψ = (y − λ f − r) / n}, another {@code λ (f − F) / N}. V is
 * {@code G / (G − 1) Σ (Σ ψ)²} over the G cases, and a guard of one pseudo-case of each kind. The guard is
 * {@code Σ (e − r)² / (n_c + 4)²} with e = 0, 1, −λ, 1 − λ and n_c labelled cases. The interval is the mean
 * {@code ∓ t(n_c − 1) √V}, cut to 0–1.
 *
 * @param value the mean, held in 0–1; null without labels
 * @param interval null with fewer than two labelled cases
 * @param lambda how far the judge is believed, 0–1 ({@link #lambda}); 0 when nothing is left to judge; null without labels
 */
public record PredictionPowered(
        @Nullable Double value,
        @Nullable Interval interval,
        @Nullable Double lambda,
        int labelledCases) {

    private static final Comparator<Labelled> LABELLED_ORDER = Comparator.comparingInt(Labelled::caseIndex)
            .thenComparingDouble(Labelled::person)
            .thenComparingDouble(Labelled::judge);
    private static final Comparator<Judged> JUDGED_ORDER =
            Comparator.comparingInt(Judged::caseIndex).thenComparingDouble(Judged::judge);
    private static final int PSEUDO_CASES = 4;

    /** A trial of which a person and the judge said 0–1. */
    public record Labelled(int caseIndex, double person, double judge) {}

    /** A trial of which only the judge said 0–1. */
    public record Judged(int caseIndex, double judge) {}

    /** The mean, whatever the order of the trials. */
    public static PredictionPowered of(List<Labelled> labels, List<Judged> others, double level) {
        if (labels.isEmpty()) {
            return new PredictionPowered(null, null, null, 0);
        }
        List<Labelled> labelled = labels.stream().sorted(LABELLED_ORDER).toList();
        List<Judged> rest = others.stream().sorted(JUDGED_ORDER).toList();
        double lambda = lambda(labelled, rest);
        double residual = mean(labelled.stream()
                .mapToDouble(one -> one.person() - lambda * one.judge())
                .toArray());
        double judged = rest.isEmpty() ? 0 : mean(judgements(rest));
        double mean = lambda * judged + residual;
        int cases =
                (int) labelled.stream().mapToInt(Labelled::caseIndex).distinct().count();
        Interval interval = null;
        if (cases >= 2) {
            double variance = byCase(labelled, rest, lambda, residual, judged) + guard(lambda, residual, cases);
            double half = Quantiles.student(cases - 1, level) * Math.sqrt(variance);
            interval = Interval.around(mean, half, Interval.UNIT);
        }
        return new PredictionPowered(Interval.UNIT.nearest(mean), interval, lambda, cases);
    }

    /**
     * The weight of the judge: {@code cov(y, f) / ((1 + n / N) var(f))}, held in 0–1. It is 0 when the judge always says the same,
     * or there is no trial without a label.
     */
    public static double lambda(List<Labelled> labelled, List<Judged> rest) {
        double[] all = DoubleStream.concat(
                        labelled.stream().mapToDouble(Labelled::judge),
                        rest.stream().mapToDouble(Judged::judge))
                .toArray();
        if (rest.isEmpty() || Arrays.stream(all).distinct().count() == 1) {
            return 0;
        }
        double person = mean(labelled.stream().mapToDouble(Labelled::person).toArray());
        double judge = mean(labelled.stream().mapToDouble(Labelled::judge).toArray());
        double covariance = mean(labelled.stream()
                .mapToDouble(one -> (one.person() - person) * (one.judge() - judge))
                .toArray());
        double variance = squares(all) / (all.length - 1);
        double spread = (1 + (double) labelled.size() / rest.size()) * variance;
        return Interval.UNIT.nearest(covariance / spread);
    }

    private static double byCase(
            List<Labelled> labelled, List<Judged> rest, double lambda, double residual, double judged) {
        SortedMap<Integer, Double> byCase = new TreeMap<>();
        labelled.forEach(one -> byCase.merge(
                one.caseIndex(), (one.person() - lambda * one.judge() - residual) / labelled.size(), Double::sum));
        rest.forEach(one -> byCase.merge(one.caseIndex(), lambda * (one.judge() - judged) / rest.size(), Double::sum));
        double[] sums =
                byCase.values().stream().mapToDouble(Double::doubleValue).toArray();
        return Sum.ofProducts(sums, sums).getAsDouble() * sums.length / (sums.length - 1);
    }

    private static double guard(double lambda, double residual, int cases) {
        double sum = 0;
        for (double error : new double[] {0, 1, -lambda, 1 - lambda}) {
            sum += (error - residual) * (error - residual);
        }
        return sum / ((double) (cases + PSEUDO_CASES) * (cases + PSEUDO_CASES));
    }

    private static double[] judgements(List<Judged> rest) {
        return rest.stream().mapToDouble(Judged::judge).toArray();
    }

    private static double mean(double[] values) {
        return Sum.of(values).getAsDouble() / values.length;
    }

    /** The squared deviations from the mean, added up. */
    private static double squares(double[] values) {
        double mean = mean(values);
        double[] deviations = Arrays.stream(values).map(value -> value - mean).toArray();
        return Sum.ofProducts(deviations, deviations).getAsDouble();
    }
}
