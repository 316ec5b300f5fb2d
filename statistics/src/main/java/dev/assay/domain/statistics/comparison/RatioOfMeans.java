package dev.assay.domain.statistics.comparison;

import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Jackknife;
import dev.assay.domain.statistics.Quantiles;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/**
 * The ratio of what the second of two takes on average to what the first does, in tokens, money or time. With K cases and means ā
 * and b̄ it is {@code R = b̄ / ā}, with {@code se² = Σ (b − R a)² / (K (K − 1) ā²)} and t of K − 1 degrees of freedom (Cochran 1977,
 * 6.4). Related cases are left out group by group ({@link Jackknife}). Simulated on log-normal costs it covers 93 % and more of 28
 * cases, and 91.7 % of ten that lean far to one side.
 *
 * @param value R, at least 0; null without a case, or where the first takes nothing
 * @param interval its interval for other cases like these, cut at 0; null as {@code value}, and with one case or group
 * @param cases K
 */
public record RatioOfMeans(@Nullable Double value, @Nullable Interval interval, int cases) {

    private static final Interval LIMITS = new Interval(0, Double.POSITIVE_INFINITY);

    /**
     * The ratio.
     *
     * @param first what each shared case took with the first, at least 0
     * @param second what it took with the second, in the same order
     * @param groups the group of each case; null: cases are not related
     * @param level above 0 and below 1
     */
    public static RatioOfMeans of(double[] first, double[] second, @Nullable List<String> groups, double level) {
        if (first.length != second.length) {
            throw new IllegalArgumentException(first.length + " cases cannot be paired with " + second.length);
        }
        int cases = first.length;
        double base = Sum.of(first).getAsDouble();
        if (!(base > 0)) {
            return new RatioOfMeans(null, null, cases);
        }
        double ratio = Sum.of(second).getAsDouble() / base;
        return new RatioOfMeans(
                ratio,
                groups == null ? interval(first, second, ratio, level) : grouped(first, second, groups, level),
                cases);
    }

    private static @Nullable Interval interval(double[] first, double[] second, double ratio, double level) {
        int cases = first.length;
        if (cases < 2) {
            return null;
        }
        double[] residuals = new double[cases];
        Arrays.setAll(residuals, i -> second[i] - ratio * first[i]);
        Arrays.sort(residuals);
        double mean = Sum.of(first).getAsDouble() / cases;
        double squares = Sum.ofProducts(residuals, residuals).getAsDouble();
        double error = Math.sqrt(squares / (cases * (cases - 1.0))) / mean;
        return Interval.around(ratio, Quantiles.student(cases - 1, level) * error, LIMITS);
    }

    private static @Nullable Interval grouped(double[] first, double[] second, List<String> groups, double level) {
        Map<String, double[]> byGroup = GroupedDifference.sums(groups, second, first);
        Jackknife jackknife =
                Jackknife.ofRatio(GroupedDifference.column(byGroup, 0), GroupedDifference.column(byGroup, 1));
        return jackknife == null ? null : jackknife.interval(level, LIMITS);
    }
}
