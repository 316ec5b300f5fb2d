package dev.assay.domain.comparison;

import dev.assay.domain.comparison.ComparedMetric.Why;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.RatioOfMeans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.numbers.core.Sum;
import org.jspecify.annotations.Nullable;

/** The tokens, money and time of two on the cases that both were asked, by the ratio of their means. */
final class MeasureMetrics {

    private MeasureMetrics() {}

    static List<ComparedMetric> of(PairedCases cases) {
        return List.of(
                measured("tokens", cases, CaseMeasures::tokens),
                isPriced(cases)
                        ? measured("cost", cases, CaseMeasures::costUsd)
                        : ComparedMetric.none("cost", Why.UNKNOWN_COST),
                measured("latency", cases, CaseMeasures::latencyMs));
    }

    /** The mean of what is priced would say that a trial without a price costs as much as one with it. */
    private static boolean isPriced(PairedCases cases) {
        return cases.firstMeasures().stream().allMatch(one -> one.unpriced() == 0)
                && cases.secondMeasures().stream().allMatch(one -> one.unpriced() == 0);
    }

    private static ComparedMetric measured(
            String name, PairedCases cases, Function<CaseMeasures, @Nullable Double> measure) {
        List<Double> first = new ArrayList<>();
        List<Double> second = new ArrayList<>();
        List<String> related = cases.first().groups();
        List<String> groups = related == null ? null : new ArrayList<>();
        for (int i = 0; i < cases.shared().size(); i++) {
            Double one = measure.apply(cases.firstMeasures().get(i));
            Double other = measure.apply(cases.secondMeasures().get(i));
            if (one != null && other != null) {
                first.add(one);
                second.add(other);
                if (groups != null && related != null) {
                    groups.add(related.get(i));
                }
            }
        }
        return first.isEmpty()
                ? ComparedMetric.none(name, Why.MISSING_EVIDENCE)
                : metric(name, array(first), array(second), groups);
    }

    private static ComparedMetric metric(String name, double[] first, double[] second, @Nullable List<String> groups) {
        double one = mean(first);
        double other = mean(second);
        Integer groupCount =
                groups == null ? null : (Integer) Set.copyOf(groups).size();
        ComparedMetric.Difference ratio =
                ComparedMetric.Difference.of(RatioOfMeans.of(first, second, groups, Quantiles.LEVEL), groupCount);
        return new ComparedMetric(
                name,
                ComparedValue.ofMean(one, first.length),
                ComparedValue.ofMean(other, second.length),
                new ComparedMetric.Difference(
                        other - one, null, null, null, null, first.length, groupCount, Quantiles.LEVEL),
                ratio,
                null,
                null,
                null,
                ratio.value() == null ? Why.BASE_IS_ZERO : ComparedMetric.why(ratio));
    }

    /** Sorted, so that the order of the cases changes no sum. */
    private static double mean(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return Sum.of(sorted).getAsDouble() / sorted.length;
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
