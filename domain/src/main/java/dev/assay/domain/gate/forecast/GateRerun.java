package dev.assay.domain.gate.forecast;

import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.Interval;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.statistics.comparison.PlusFour;
import dev.assay.domain.statistics.forecast.RerunChances;
import dev.assay.domain.statistics.forecast.RerunForecast;
import dev.assay.domain.statistics.forecast.RerunRule;
import dev.assay.domain.stop.StopRule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The verdicts of a gate on a branch that has run, if the same cases were run again. */
public final class GateRerun {

    /** A bound that comes out a hair above a whole number is that number. */
    private static final double ROUNDING = 1e-6;

    private GateRerun() {}

    /**
     * The chances by the thresholds, or by the rule that replaces them; null where repeats are too few.
     *
     * @param branches branches that the gate looks at, at least 1
     * @param cases at least one, with as many planned trials each
     */
    public static @Nullable RerunChances of(GatePolicy policy, int branches, StopRule stop, List<CaseCounts> cases) {
        int trials = cases.getFirst().planned();
        RateRule rule = policy.rule();
        return RerunForecast.of(
                CaseCounts.grouped(cases),
                rule == null
                        ? new RerunRule.Thresholds(
                                trials,
                                new Threshold(policy.passThreshold()),
                                new Threshold(policy.effectiveSuiteThreshold()))
                        : counted(
                                cases.size(),
                                new GateKind.SureRate(rule, branches, stop == StopRule.SURE)
                                        .looks(cases.size(), trials)));
    }

    /**
     * The chances beside a baseline whose trials stay what they are; null where repeats are too few, or nothing can be compared. The
     * interval is as wide as that of this difference, apart from how much more or less the cases are expected to differ.
     *
     * @param rates of the baseline, then of the branch
     * @param maxDrop the drop that is accepted, 0–1
     */
    public static @Nullable RerunChances beside(PairedRates rates, double maxDrop) {
        Interval interval = rates.difference(Quantiles.LEVEL).interval();
        if (interval == null) {
            return null;
        }
        SortedMap<CaseCounts, Integer> groups = CaseCounts.grouped(rates.second());
        int cases = rates.second().size();
        int trials = rates.second().getFirst().planned();
        double half = (interval.high() - interval.low()) / 2 * widening(rates, groups, trials);
        // The four pseudo-cases draw the middle of the interval towards 0.
        double stretch = (double) (cases + PlusFour.PSEUDO_CASES) / cases;
        double before =
                rates.first().stream().mapToDouble(GateRerun::known).average().orElseThrow();
        double all = (double) cases * trials;
        RateLooks.Look look = new RateLooks.Look(
                trials,
                (long) Math.ceil(all * (before + (half - maxDrop) * stretch) - ROUNDING),
                (long) Math.ceil(all * (before + (-half - maxDrop) * stretch) - ROUNDING) - 1);
        return RerunForecast.of(groups, counted(cases, look));
    }

    /** How much wider the interval is expected to be: V of {@code PairedDifference}, run again, beside that of what was seen. */
    private static double widening(PairedRates rates, SortedMap<CaseCounts, Integer> groups, int trials) {
        Map<CaseCounts, RerunForecast.CaseAgain> again = RerunForecast.rates(groups, trials);
        double sum = 0;
        double squares = 0;
        double expectedSum = 0;
        double expectedSquares = 0;
        int cases = rates.second().size();
        for (int i = 0; i < cases; i++) {
            double before = known(rates.first().get(i));
            CaseCounts after = rates.second().get(i);
            RerunForecast.CaseAgain next = Objects.requireNonNull(again.get(after));
            double difference = known(after) - before;
            sum += difference;
            squares += difference * difference;
            expectedSum += next.mean() - before;
            expectedSquares += next.meanSquare() - 2 * before * next.mean() + before * before;
        }
        PlusFour seen = PlusFour.of(sum, squares, cases);
        PlusFour expected = PlusFour.of(expectedSum, expectedSquares, cases);
        return Math.sqrt(expected.variance() / seen.variance());
    }

    /** The pass rate of what is known of a case; 0 where nothing is. */
    private static double known(CaseCounts one) {
        return one.known() == 0 ? 0 : (double) one.passed() / one.known();
    }

    private static RerunRule.OfMean counted(int cases, RateLooks.Look... looks) {
        return (low, high, spread) -> new RateCurve(cases, low, high, spread, looks);
    }
}
