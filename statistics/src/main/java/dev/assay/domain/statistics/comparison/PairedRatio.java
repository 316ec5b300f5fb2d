package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of the second of two to the first, in tokens, money or time. It is the geometric mean over the shared cases, with a t
 * interval on the logarithms.
 *
 * @param value above 0, shown as ×1.3; null when no case is shared
 * @param interval its interval for other cases like these; null with fewer than two cases
 */
public record PairedRatio(@Nullable Double value, @Nullable Interval interval, int cases) {

    /**
     * The ratio.
     *
     * @param first what each shared case took with the first, above 0
     * @param second what it took with the second, above 0, in the same order
     * @param level above 0 and below 1
     */
    public static PairedRatio of(double[] first, double[] second, double level) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(first.length + " cases cannot be paired with " + second.length);
        }
        double[] logs = new double[first.length];
        for (int i = 0; i < logs.length; i++) {
            if (!(first[i] > 0 && second[i] > 0)) {
                throw new IllegalArgumentException("Only what is above 0 has a ratio");
            }
            logs[i] = Math.log(second[i] / first[i]);
        }
        Arrays.sort(logs);
        return of(logs, level);
    }

    private static PairedRatio of(double[] logs, double level) {
        int cases = logs.length;
        if (cases == 0) {
            return new PairedRatio(null, null, 0);
        }
        double mean = Sum.of(logs).getAsDouble() / cases;
        if (cases == 1) {
            return new PairedRatio(Math.exp(mean), null, 1);
        }
        double[] deviations = Arrays.stream(logs).map(log -> log - mean).toArray();
        double variance = Sum.ofProducts(deviations, deviations).getAsDouble() / (cases - 1);
        double half = Quantiles.student(cases - 1, level) * Math.sqrt(variance / cases);
        return new PairedRatio(Math.exp(mean), new Interval(Math.exp(mean - half), Math.exp(mean + half)), cases);
    }
}
