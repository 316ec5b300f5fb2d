package dev.assay.domain.statistics.judging;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * Cohen's kappa of two on the same trials. Its interval leaves out one case at a time, with all its trials. It has four
 * pseudo-cases, one of each way in which two can say something. Each pseudo-case has n / G trials, for n trials of G cases.
 *
 * <p>With k′ the kappa of all H = G + 4 cases, and k′₍g₎ that without case g, {@code se² = (H − 1) / H Σ (k′₍g₎ − their mean)²}.
 * The interval is {@code k′ ∓ t(G − 1) se}, cut to −1 … 1. Without pseudo-cases it would cover 88 % on 10 to 30 cases. The names
 * are those of its JSON.
 *
 * @param value kappa itself, not k′; null where {@link Confusion#kappa()} is
 * @param low lower end of the interval; null as {@code value}, and for one case
 * @param high its upper end
 */
public record Kappa(
        @Nullable Double value,
        @Nullable Double low,
        @Nullable Double high,
        int cases) {

    private static final Interval LIMITS = new Interval(-1, 1);
    private static final int WAYS = 4;

    static Kappa of(Collection<Confusion> cases, double level) {
        Double value = cases.stream().reduce(Confusion.NONE, Confusion::plus).kappa();
        if (value == null || cases.size() < 2) {
            return new Kappa(value, null, null, cases.size());
        }
        Interval interval = interval(cases, level);
        return new Kappa(value, interval.low(), interval.high(), cases.size());
    }

    private static Interval interval(Collection<Confusion> cases, double level) {
        double[][] all = Stream.concat(cases.stream().map(Kappa::counts), pseudoCases(cases))
                .toArray(double[][]::new);
        double[] total = new double[WAYS];
        Arrays.setAll(
                total,
                way -> Sum.of(Arrays.stream(all).mapToDouble(one -> one[way]).toArray())
                        .getAsDouble());
        double[] without = Arrays.stream(all)
                .mapToDouble(one -> kappa(IntStream.range(0, WAYS)
                        .mapToDouble(way -> total[way] - one[way])
                        .toArray()))
                .toArray();
        double mean = Sum.of(without).getAsDouble() / without.length;
        double[] deviations = Arrays.stream(without).map(one -> one - mean).toArray();
        double squares = Sum.ofProducts(deviations, deviations).getAsDouble();
        double error = Math.sqrt((all.length - 1.0) / all.length * squares);
        return Interval.around(kappa(total), Quantiles.student(cases.size() - 1, level) * error, LIMITS);
    }

    private static double[] counts(Confusion one) {
        return new double[] {one.bothPass(), one.onlyFirst(), one.onlySecond(), one.bothFail()};
    }

    private static Stream<double[]> pseudoCases(Collection<Confusion> cases) {
        double trials = (double) cases.stream().mapToInt(Confusion::trials).sum() / cases.size();
        return IntStream.range(0, WAYS).mapToObj(way -> {
            double[] one = new double[WAYS];
            one[way] = trials;
            return one;
        });
    }

    /** Kappa of counts that need not be whole. */
    private static double kappa(double[] counts) {
        double trials = Sum.of(counts).getAsDouble();
        double first = (counts[0] + counts[1]) / trials;
        double second = (counts[0] + counts[2]) / trials;
        double chance = first * second + (1 - first) * (1 - second);
        return ((counts[0] + counts[3]) / trials - chance) / (1 - chance);
    }
}
