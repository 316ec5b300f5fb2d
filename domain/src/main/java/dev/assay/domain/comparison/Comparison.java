package dev.assay.domain.comparison;

import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.comparison.DetectableDifference;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToIntBiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The second of two beside the first, on the cases that they share. The names are those of its JSON.
 *
 * @param cases what they have in common
 * @param metrics trial rate, cases passed, each reducer, then tokens, cost and latency
 * @param tags the trial rate on the cases with each tag, under its name: the tags of most cases, {@link #MOST_TAGS} at most
 * @param flips cases that differ, the worst loss first
 * @param verdict whether the trial rate drops by no more than what is accepted
 * @param reasons why it is INCONCLUSIVE; else empty
 * @param detectable what so many cases, or groups of them, can find; null when nothing is known of a shared case
 */
public record Comparison(
        PairedCases cases,
        List<ComparedMetric> metrics,
        List<ComparedMetric> tags,
        List<ComparedFlip> flips,
        Verdict verdict,
        List<GateReason> reasons,
        @Nullable DetectableDifference detectable) {

    /** The drop of the trial rate that is accepted by default. */
    public static final double DEFAULT_MAX_DROP = 0.02;

    /** Tags that are compared, at most. */
    public static final int MOST_TAGS = 20;

    /** Exact tests that are the same differ by less. */
    private static final double ROUNDING = 1e-9;

    public Comparison {
        metrics = List.copyOf(metrics);
        tags = List.copyOf(tags);
        flips = List.copyOf(flips);
        reasons = List.copyOf(reasons);
    }

    /**
     * Compares at 95 %.
     *
     * @param passThreshold share of its trials that a case needs, 0–1
     * @param maxDrop the drop of the trial rate that is accepted, 0–1
     */
    public static Comparison of(PairedCases cases, double passThreshold, List<Reducer> reducers, double maxDrop) {
        PairedRates rates = cases.rates();
        List<ComparedMetric> metrics = new ArrayList<>();
        metrics.add(RateMetrics.trialRate("trial-rate", cases, rates));
        metrics.add(RateMetrics.casesPassed(cases, rates, passThreshold));
        reducers.forEach(reducer -> metrics.add(ReducerMetrics.of(cases, rates, reducer)));
        metrics.addAll(MeasureMetrics.of(cases));
        Verdict verdict = NonInferiority.verdict(rates.difference(Quantiles.LEVEL), maxDrop);
        return new Comparison(
                cases,
                adjusted(metrics, one -> repeats(one, metrics.getFirst(), cases)),
                adjusted(byTag(cases), _ -> false),
                ComparedFlip.of(cases.shared(), rates),
                verdict,
                verdict == Verdict.INCONCLUSIVE ? reasons(cases, rates, maxDrop) : List.of(),
                detectable(rates.certain(), maxDrop));
    }

    /** Of related cases, groups find differences, and no number of cases says how many groups there are. */
    private static @Nullable DetectableDifference detectable(PairedRates known, double maxDrop) {
        DetectableDifference detectable = DetectableDifference.of(known.sampled(), maxDrop);
        return detectable == null || known.groups() == null
                ? detectable
                : new DetectableDifference(detectable.smallest(), null, detectable.why());
    }

    /** Where what is known would decide, what is not known is the reason. */
    private static List<GateReason> reasons(PairedCases cases, PairedRates rates, double maxDrop) {
        if (cases.shared().isEmpty()) {
            return List.of(GateReason.NO_SHARED_CASES);
        }
        PairedDifference known = rates.certain().difference(Quantiles.LEVEL);
        return NonInferiority.verdict(known, maxDrop) == Verdict.INCONCLUSIVE
                ? List.of(GateReason.UNSURE)
                : new Gate.Doubt(
                                sum(cases, (one, _) -> one.unscored() + one.notNeeded() + one.missing()),
                                sum(cases, CaseEvidence::unknownErrors),
                                sum(
                                        cases,
                                        (one, _) -> one.redraws().worse()
                                                + one.redraws().better()))
                        .reasons();
    }

    private static int sum(PairedCases cases, ToIntBiFunction<CaseEvidence, ErrorTreatment> number) {
        return Stream.of(cases.first(), cases.second())
                .mapToInt(side -> side.sum(one -> number.applyAsInt(one, side.errors())))
                .sum();
    }

    /**
     * The metrics with p-values that are adjusted for all of them. A row that repeats the test of the first counts once.
     *
     * @param repeats whether a row does so
     */
    private static List<ComparedMetric> adjusted(List<ComparedMetric> metrics, Predicate<ComparedMetric> repeats) {
        List<@Nullable Double> tests = new ArrayList<>();
        metrics.forEach(one -> tests.add(repeats.test(one) ? null : one.p()));
        List<@Nullable Double> adjusted = MultipleTests.holm(tests);
        return IntStream.range(0, metrics.size())
                .mapToObj(i -> metrics.get(i).withHolm(adjusted.get(repeats.test(metrics.get(i)) ? 0 : i)))
                .toList();
    }

    /** With one trial of each case a case passes when its trial does. The mean of scores that are all 0 or 1 is the trial rate. */
    private static boolean repeats(ComparedMetric one, ComparedMetric trialRate, PairedCases cases) {
        Double p = one.p();
        Double first = trialRate.p();
        if (p == null || first == null || Math.abs(p - first) > ROUNDING) {
            return false;
        }
        return switch (one.name()) {
            case "cases-passed" -> cases.haveOneTrial();
            case "mean" -> one.test() == trialRate.test();
            default -> false;
        };
    }

    /** A case with several tags counts for each. The tag of most cases stands first, then by name. */
    private static List<ComparedMetric> byTag(PairedCases cases) {
        Map<String, List<Integer>> places = new TreeMap<>();
        for (int i = 0; i < cases.tags().size(); i++) {
            for (String tag : Set.copyOf(cases.tags().get(i))) {
                places.computeIfAbsent(tag, _ -> new ArrayList<>()).add(i);
            }
        }
        return places.entrySet().stream()
                .sorted(Comparator.comparingInt(entry -> -entry.getValue().size()))
                .limit(MOST_TAGS)
                .map(entry -> {
                    PairedCases tagged = cases.only(entry.getValue());
                    return RateMetrics.trialRate(entry.getKey(), tagged, tagged.rates());
                })
                .toList();
    }
}
