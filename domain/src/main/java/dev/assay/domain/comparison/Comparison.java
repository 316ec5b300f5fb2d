package dev.assay.domain.comparison;

import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDecision;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.comparison.DetectableDifference;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.comparison.PairedRates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The second of two beside the first, on the cases that they share. The names are those of its JSON.
 *
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
        GateDecision decision = Gate.beside(
                rates, maxDrop, cases.first().doubt().and(cases.second().doubt()));
        return new Comparison(
                cases,
                adjusted(metrics, one -> repeats(one, metrics.getFirst(), cases)),
                adjusted(byTag(cases), _ -> false),
                ComparedFlip.of(cases.shared(), rates),
                decision.verdict(),
                decision.reasons(),
                detectable(rates.certain(), maxDrop));
    }

    /** Of related cases, groups find differences, and no number of cases says how many groups there are. */
    private static @Nullable DetectableDifference detectable(PairedRates known, double maxDrop) {
        DetectableDifference detectable = DetectableDifference.of(known.sampled(), maxDrop);
        return detectable == null || known.groups() == null
                ? detectable
                : new DetectableDifference(detectable.smallest(), null, detectable.why());
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
        if (p == null || first == null) {
            return false;
        }
        return switch (one.name()) {
            case "cases-passed" -> cases.haveOneTrial();
            case "mean" -> one.test() == trialRate.test() && Math.abs(p - first) <= ROUNDING;
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
