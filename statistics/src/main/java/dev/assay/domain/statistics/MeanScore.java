package dev.assay.domain.statistics;

import java.util.Arrays;
import java.util.List;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The mean over cases of scores 0–1, with the t interval for other cases like these (Student 1908). It is {@code x̄ ∓ t s / √K} with
 * K − 1 degrees of freedom, cut to 0–1. Where all scores are equal s says nothing: the interval is that of {@link ReducedRate}.
 */
public final class MeanScore {

    /** Rounding alone moves means by less. */
    private static final double ROUNDING = 1e-12;

    private MeanScore() {}

    /**
     * The mean.
     *
     * @param values one for each case, null where it has none; in any order
     */
    public static ReducedRate of(List<@Nullable Double> values, double level) {
        ReducedRate rate = ReducedRate.of(values, level);
        Double mean = rate.value();
        double[] sorted = values.stream()
                .filter(value -> value != null)
                .mapToDouble(value -> value == null ? 0 : value)
                .sorted()
                .toArray();
        if (mean == null || sorted[sorted.length - 1] - sorted[0] <= ROUNDING) {
            return rate;
        }
        double[] deviations = Arrays.stream(sorted).map(value -> value - mean).toArray();
        int cases = sorted.length;
        double error = Math.sqrt(Sum.ofProducts(deviations, deviations).getAsDouble() / (cases * (cases - 1.0)));
        Interval interval = Interval.around(mean, Quantiles.student(cases - 1, level) * error, Interval.UNIT);
        return new ReducedRate(mean, interval, cases, rate.undefined());
    }
}
