package dev.assay.domain.comparison;

import dev.assay.domain.comparison.ComparedMetric.Why;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.PairedScores;
import dev.assay.domain.statistics.comparison.RateTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The reducers of two. The mean of scores has a test; the interval of another one says whether they differ. */
final class ReducerMetrics {

    private ReducerMetrics() {}

    /** The values of the cases that have one on both sides, and whether they rest on as many trials. */
    private record Values(
            List<Double> first,
            List<Double> second,
            @Nullable List<String> groups,
            boolean graded,
            boolean balanced) {

        @Nullable
        Integer groupCount() {
            return groups == null ? null : (Integer) Set.copyOf(groups).size();
        }
    }

    static ComparedMetric of(PairedCases cases, PairedRates rates, Reducer reducer) {
        if (!cases.haveEqualTrials() && reducer.dependsOnTrials()) {
            return ComparedMetric.none(reducer.name(), Why.UNEQUAL_TRIALS);
        }
        Values values = values(cases, rates, reducer);
        if (values.first().isEmpty()) {
            return ComparedMetric.none(reducer.name(), Why.MISSING_EVIDENCE);
        }
        return reducer.isMean() ? mean(reducer.name(), rates, values) : withoutTest(reducer.name(), values);
    }

    private static ComparedMetric withoutTest(String name, Values values) {
        ComparedMetric.Difference difference =
                ComparedMetric.Difference.of(interval(values), null, values.groupCount());
        return metric(name, values, difference, null, null);
    }

    /** Scores that are all 0 or 1 are passes: their mean is the trial rate, and so is their test. */
    private static ComparedMetric mean(String name, PairedRates rates, Values values) {
        if (values.graded()) {
            PairedScores scores = PairedScores.of(
                    array(values.first()), array(values.second()), values.groups(), values.balanced(), Quantiles.LEVEL);
            return metric(
                    name,
                    values,
                    ComparedMetric.Difference.of(scores.difference(), null, values.groupCount()),
                    scores.p(),
                    switch (scores.test()) {
                        case PAIRED_T -> ComparedMetric.Test.PAIRED_T;
                        case STUDENTISED -> ComparedMetric.Test.SIGN_FLIP_STUDENTISED;
                        case JACKKNIFE -> ComparedMetric.Test.GROUP_JACKKNIFE;
                    });
        }
        RateTest test = rates.test();
        return metric(
                name,
                values,
                ComparedMetric.Difference.of(interval(values), null, values.groupCount()),
                test == null ? null : (Double) test.p(),
                test == null ? null : RateMetrics.test(test.method()));
    }

    private static ComparedMetric metric(
            String name,
            Values values,
            ComparedMetric.Difference difference,
            @Nullable Double p,
            ComparedMetric.@Nullable Test test) {
        return new ComparedMetric(
                name,
                ComparedValue.ofReduced(values.first(), values.graded()),
                ComparedValue.ofReduced(values.second(), values.graded()),
                difference,
                null,
                p,
                null,
                test,
                ComparedMetric.why(difference));
    }

    private static PairedDifference interval(Values values) {
        return PairedDifference.of(array(values.first()), array(values.second()), values.groups(), Quantiles.LEVEL);
    }

    private static Values values(PairedCases cases, PairedRates rates, Reducer reducer) {
        List<Double> first = new ArrayList<>();
        List<Double> second = new ArrayList<>();
        List<String> related = rates.groups();
        List<String> groups = related == null ? null : new ArrayList<>();
        boolean graded = false;
        boolean balanced = true;
        for (int i = 0; i < cases.shared().size(); i++) {
            CaseScores one = scored(rates.first().get(i), cases.firstMeasures().get(i));
            CaseScores other =
                    scored(rates.second().get(i), cases.secondMeasures().get(i));
            boolean alike = one.counts().known() == other.counts().known();
            Double a = reducer.of(one);
            Double b = reducer.of(other);
            if (a != null && b != null && (alike || !reducer.dependsOnTrials())) {
                first.add(a);
                second.add(b);
                balanced &= one.scores().size() == other.scores().size();
                graded |= one.isGraded() || other.isGraded();
                if (groups != null && related != null) {
                    groups.add(related.get(i));
                }
            }
        }
        return new Values(first, second, groups, graded && reducer.isMean(), balanced);
    }

    /** Scores of a case; where none were asked for, a trial scores 1 when it passed, and else 0. */
    private static CaseScores scored(CaseCounts counts, CaseMeasures measures) {
        return measures.scores().isEmpty() ? CaseScores.of(counts) : new CaseScores(counts, measures.scores());
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
