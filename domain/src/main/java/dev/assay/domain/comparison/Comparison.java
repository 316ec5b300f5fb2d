package dev.assay.domain.comparison;

import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.Quantiles;
import dev.assay.domain.statistics.Threshold;
import dev.assay.domain.statistics.TrialRate;
import dev.assay.domain.statistics.comparison.DetectableDifference;
import dev.assay.domain.statistics.comparison.McNemarTest;
import dev.assay.domain.statistics.comparison.MultipleTests;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRatio;
import dev.assay.domain.statistics.comparison.SignFlipTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.commons.numbers.core.Sum;
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
 * @param detectable what so many cases can find; null when no case is shared
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
        List<ComparedMetric> metrics = new ArrayList<>();
        PairedDifference trials = PairedDifference.ofCounts(cases.first(), cases.second(), Quantiles.LEVEL);
        metrics.add(trialRate("trial-rate", cases, trials));
        metrics.add(casesPassed(cases, new Threshold(passThreshold)));
        reducers.forEach(reducer -> metrics.add(reduced(cases, reducer)));
        metrics.add(measured("tokens", cases, CaseMeasures::tokens));
        metrics.add(measured("cost", cases, CaseMeasures::costUsd));
        metrics.add(measured("latency", cases, CaseMeasures::latencyMs));
        Verdict verdict = NonInferiority.verdict(trials, maxDrop);
        GateReason reason = cases.shared().isEmpty() ? GateReason.NO_SHARED_CASES : GateReason.UNSURE;
        return new Comparison(
                cases,
                adjusted(metrics),
                adjusted(byTag(cases)),
                ComparedFlip.of(cases),
                verdict,
                verdict == Verdict.INCONCLUSIVE ? List.of(reason) : List.of(),
                DetectableDifference.of(cases.first(), cases.second(), maxDrop));
    }

    /** The metrics with p-values that are adjusted for all of them. */
    private static List<ComparedMetric> adjusted(List<ComparedMetric> metrics) {
        List<@Nullable Double> adjusted =
                MultipleTests.holm(metrics.stream().map(ComparedMetric::p).toList());
        return IntStream.range(0, metrics.size())
                .mapToObj(i -> metrics.get(i).withHolm(adjusted.get(i)))
                .toList();
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
                    return trialRate(
                            entry.getKey(),
                            tagged,
                            PairedDifference.ofCounts(tagged.first(), tagged.second(), Quantiles.LEVEL));
                })
                .toList();
    }

    private static ComparedMetric trialRate(String name, PairedCases cases, PairedDifference difference) {
        SignFlipTest test = SignFlipTest.of(cases.first(), cases.second());
        return new ComparedMetric(
                name,
                trialRate(cases.first(), cases.firstMeasures()),
                trialRate(cases.second(), cases.secondMeasures()),
                ComparedMetric.Difference.of(difference, Quantiles.LEVEL),
                null,
                cases.shared().isEmpty() ? null : (Double) test.p(),
                null,
                switch (test.method()) {
                    case EXACT -> ComparedMetric.Test.SIGN_FLIP;
                    case NORMAL -> ComparedMetric.Test.SIGN_FLIP_NORMAL;
                });
    }

    private static ComparedValue trialRate(List<CaseCounts> cases, List<CaseMeasures> measures) {
        int errors = measures.stream().mapToInt(CaseMeasures::errors).sum();
        return ComparedValue.of(Proportion.ofTrials(TrialRate.of(cases, Quantiles.LEVEL), errors));
    }

    private static ComparedMetric casesPassed(PairedCases cases, Threshold threshold) {
        List<Verdict> first = verdicts(cases.first(), threshold);
        List<Verdict> second = verdicts(cases.second(), threshold);
        int onlyFirst = 0;
        int onlySecond = 0;
        for (int i = 0; i < first.size(); i++) {
            onlyFirst += first.get(i) == Verdict.PASS && second.get(i) != Verdict.PASS ? 1 : 0;
            onlySecond += second.get(i) == Verdict.PASS && first.get(i) != Verdict.PASS ? 1 : 0;
        }
        PairedDifference difference = PairedDifference.ofCounts(counts(first), counts(second), Quantiles.LEVEL);
        return new ComparedMetric(
                "cases-passed",
                passed(first),
                passed(second),
                ComparedMetric.Difference.of(difference, Quantiles.LEVEL),
                null,
                first.isEmpty()
                        ? null
                        : (Double) McNemarTest.of(onlyFirst, onlySecond).p(),
                null,
                ComparedMetric.Test.MCNEMAR);
    }

    private static List<Verdict> verdicts(List<CaseCounts> cases, Threshold threshold) {
        return cases.stream()
                .map(one -> Proportion.verdict(one.passed(), one.unknown(), one.planned(), threshold.share()))
                .toList();
    }

    private static List<CaseCounts> counts(List<Verdict> verdicts) {
        return verdicts.stream()
                .map(verdict ->
                        new CaseCounts(verdict == Verdict.PASS ? 1 : 0, verdict == Verdict.INCONCLUSIVE ? 1 : 0, 1))
                .toList();
    }

    private static ComparedValue passed(List<Verdict> verdicts) {
        return ComparedValue.of(Proportion.of(
                Collections.frequency(verdicts, Verdict.PASS),
                Collections.frequency(verdicts, Verdict.INCONCLUSIVE),
                verdicts.size()));
    }

    /** Reducers have no exact test: their interval says whether they differ. */
    private static ComparedMetric reduced(PairedCases cases, Reducer reducer) {
        Paired values = Paired.of(
                scored(cases.first(), cases.firstMeasures()),
                scored(cases.second(), cases.secondMeasures()),
                reducer::of);
        return new ComparedMetric(
                reducer.name(),
                ComparedValue.ofReduced(values.first()),
                ComparedValue.ofReduced(values.second()),
                ComparedMetric.Difference.of(
                        PairedDifference.of(array(values.first()), array(values.second()), Quantiles.LEVEL),
                        Quantiles.LEVEL),
                null,
                null,
                null,
                null);
    }

    /** Scores of the cases; where none were asked for, a trial scores 1 when it passed, and else 0. */
    private static List<CaseScores> scored(List<CaseCounts> cases, List<CaseMeasures> measures) {
        return IntStream.range(0, cases.size())
                .mapToObj(i -> measures.get(i).scores().isEmpty()
                        ? CaseScores.of(cases.get(i))
                        : new CaseScores(cases.get(i), measures.get(i).scores()))
                .toList();
    }

    private static ComparedMetric measured(
            String name, PairedCases cases, Function<CaseMeasures, @Nullable Double> measure) {
        Paired values = Paired.of(cases.firstMeasures(), cases.secondMeasures(), measure);
        Double first = mean(values.first());
        Double second = mean(values.second());
        int count = values.first().size();
        Double difference = first == null || second == null ? null : (Double) (second - first);
        return new ComparedMetric(
                name,
                ComparedValue.ofMean(first, count),
                ComparedValue.ofMean(second, count),
                new ComparedMetric.Difference(difference, null, null, count, Quantiles.LEVEL),
                ComparedMetric.Difference.of(
                        PairedRatio.of(array(values.first()), array(values.second()), Quantiles.LEVEL),
                        Quantiles.LEVEL),
                null,
                null,
                null);
    }

    /** The values of the cases that have one on both sides. */
    private record Paired(List<Double> first, List<Double> second) {

        static <T> Paired of(List<T> first, List<T> second, Function<T, @Nullable Double> number) {
            Paired values = new Paired(new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < first.size(); i++) {
                Double one = number.apply(first.get(i));
                Double other = number.apply(second.get(i));
                if (one != null && other != null) {
                    values.first.add(one);
                    values.second.add(other);
                }
            }
            return values;
        }
    }

    /** Sorted, so that the order of the cases changes no sum. */
    private static @Nullable Double mean(List<Double> values) {
        double[] numbers = array(values);
        Arrays.sort(numbers);
        return numbers.length == 0 ? null : (Double) (Sum.of(numbers).getAsDouble() / numbers.length);
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
