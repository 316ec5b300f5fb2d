package dev.assay.domain.comparison;

import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.gate.CaseGate;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.comparison.McNemarTest;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.RateTest;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rates of two: of trials, and of cases that pass. */
final class RateMetrics {

    private RateMetrics() {}

    /** The pass rate of trials, as the report has it. */
    static ComparedMetric trialRate(String name, PairedCases cases, PairedRates rates) {
        RateTest test = rates.test();
        ComparedMetric.Difference difference =
                ComparedMetric.Difference.of(rates.difference(Quantiles.LEVEL), rates.known(), rates.groupCount());
        return new ComparedMetric(
                name,
                ComparedValue.of(cases.first().trialRate()),
                ComparedValue.of(cases.second().trialRate()),
                difference,
                null,
                test == null ? null : (Double) test.p(),
                null,
                test == null ? null : test(test.method()),
                ComparedMetric.why(difference));
    }

    static ComparedMetric.Test test(RateTest.Method method) {
        return switch (method) {
            case SIGN_FLIP -> ComparedMetric.Test.SIGN_FLIP;
            case SIGN_FLIP_NORMAL -> ComparedMetric.Test.SIGN_FLIP_NORMAL;
            case STUDENTISED -> ComparedMetric.Test.SIGN_FLIP_STUDENTISED;
            case JACKKNIFE -> ComparedMetric.Test.GROUP_JACKKNIFE;
        };
    }

    /**
     * Cases passed. Fewer known trials make a case pass more easily, and a missing one never fails it. So the known rates and the
     * test take the cases of which both have as many known trials.
     */
    static ComparedMetric casesPassed(PairedCases cases, PairedRates trials, double threshold) {
        if (!cases.haveEqualTrials()) {
            return ComparedMetric.none("cases-passed", ComparedMetric.Why.UNEQUAL_TRIALS);
        }
        PairedRates passed = new PairedRates(
                passed(trials.first(), threshold),
                passed(trials.second(), threshold),
                passed(trials.firstBounds(), threshold),
                passed(trials.secondBounds(), threshold),
                trials.groups());
        PairedRates known = known(trials, new Threshold(threshold));
        ComparedMetric.Difference difference =
                ComparedMetric.Difference.of(passed.difference(Quantiles.LEVEL), known.known(), trials.groupCount());
        return new ComparedMetric(
                "cases-passed",
                rate(cases.first(), passed.first(), passed.firstBounds()),
                rate(cases.second(), passed.second(), passed.secondBounds()),
                difference,
                null,
                p(known),
                null,
                trials.groups() == null ? ComparedMetric.Test.MCNEMAR : ComparedMetric.Test.GROUP_JACKKNIFE,
                ComparedMetric.why(difference));
    }

    private static @Nullable Double p(PairedRates known) {
        if (known.first().isEmpty()) {
            return null;
        }
        if (known.groups() != null) {
            RateTest test = known.test();
            return test == null ? null : (Double) test.p();
        }
        int onlyFirst = 0;
        int onlySecond = 0;
        for (int i = 0; i < known.first().size(); i++) {
            int change = known.second().get(i).passed() - known.first().get(i).passed();
            onlyFirst += change < 0 ? 1 : 0;
            onlySecond += change > 0 ? 1 : 0;
        }
        return McNemarTest.of(onlyFirst, onlySecond).p();
    }

    private static List<CaseCounts> passed(List<CaseCounts> cases, double threshold) {
        return cases.stream()
                .map(one -> CaseGate.of(one, threshold).status())
                .map(status -> new CaseCounts(
                        status == CaseStatus.PASSED ? 1 : 0, status == CaseStatus.INCONCLUSIVE ? 1 : 0, 1))
                .toList();
    }

    /** Whether each case passes by its known trials; only cases of which both have as many. */
    private static PairedRates known(PairedRates trials, Threshold threshold) {
        int[] places = IntStream.range(0, trials.first().size())
                .filter(i -> trials.first().get(i).known() > 0
                        && trials.first().get(i).known()
                                == trials.second().get(i).known())
                .toArray();
        List<CaseCounts> first = reached(trials.first(), places, threshold);
        List<CaseCounts> second = reached(trials.second(), places, threshold);
        List<String> groups = trials.groups();
        return new PairedRates(
                first,
                second,
                first,
                second,
                groups == null
                        ? null
                        : IntStream.of(places).mapToObj(groups::get).toList());
    }

    private static List<CaseCounts> reached(List<CaseCounts> cases, int[] places, Threshold threshold) {
        return IntStream.of(places)
                .mapToObj(cases::get)
                .map(one -> new CaseCounts(threshold.isReached(one.passed(), one.known()) ? 1 : 0, 0, 1))
                .toList();
    }

    private static ComparedValue rate(BranchEvidence side, List<CaseCounts> points, List<CaseCounts> bounds) {
        if (points.isEmpty()) {
            return ComparedValue.of(Proportion.of(0, 0));
        }
        return ComparedValue.of(Proportion.of(sum(points), sum(bounds), asked(side.cases())));
    }

    private static CaseCounts sum(List<CaseCounts> cases) {
        return new CaseCounts(
                cases.stream().mapToInt(CaseCounts::passed).sum(),
                cases.stream().mapToInt(CaseCounts::unknown).sum(),
                cases.size());
    }

    private static int asked(List<CaseEvidence> cases) {
        return (int) cases.stream().filter(one -> one.asked() > 0).count();
    }
}
