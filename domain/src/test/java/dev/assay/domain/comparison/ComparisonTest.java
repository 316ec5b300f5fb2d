package dev.assay.domain.comparison;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.FindableDifference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void shouldPairOnlyCasesOfTheSameContent() {
        PairedCases cases = PairedCases.of(
                List.of(one("d", "1", 1), one("a", "1", 2), one("b", "1", 0), one("c", "1", 2)),
                List.of(one("a", "1", 0), one("b", "2", 2), one("e", "1", 2), one("d", "1", 1)));

        assertThat(cases.shared()).containsExactly("a", "d");
        assertThat(cases.first().counts()).extracting(CaseCounts::passed).containsExactly(2, 1);
        assertThat(cases.second().counts()).extracting(CaseCounts::passed).containsExactly(0, 1);
        assertThat(cases.changed()).containsExactly("b");
        assertThat(cases.onlyFirst()).containsExactly("c");
        assertThat(cases.onlySecond()).containsExactly("e");
    }

    /** 28 cases of two trials: 22, and 19 and one trial of another, pass: the example of the specification. */
    @Test
    void shouldSayInconclusiveWhenNeitherADropNorNoneIsShown() {
        List<ComparedCase> first = cases(28, i -> i < 22 ? 2 : 0);
        List<ComparedCase> second = cases(28, i -> i < 18 ? 2 : i == 22 ? 2 : i == 23 ? 1 : 0);

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, reducers(), 0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        assertThat(trials.a().value()).isCloseTo(44 / 56.0, within(1e-12));
        assertThat(trials.b().value()).isCloseTo(39 / 56.0, within(1e-12));
        assertThat(trials.difference().value()).isCloseTo(-5 / 56.0, within(1e-12));
        assertThat(trials.pHolm()).isGreaterThanOrEqualTo(requireNonNull(trials.p()));
        assertThat(comparison.metrics())
                .extracting(ComparedMetric::name)
                .containsExactly("trial-rate", "cases-passed", "pass_at_2", "tokens", "cost", "latency");
        assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(comparison.reasons()).containsExactly(GateReason.UNSURE);
        assertThat(comparison.flips())
                .hasSize(6)
                .first()
                .extracting(ComparedFlip::difference)
                .isEqualTo(-1.0);
        assertThat(comparison.flips().getLast().difference()).isPositive();
    }

    @Test
    void shouldDecideWhenTheDropIsClear() {
        PairedCases worse = PairedCases.of(cases(60, _ -> 2), cases(60, i -> i % 2 == 0 ? 2 : 0));
        PairedCases same = PairedCases.of(cases(400, i -> i % 3), cases(400, i -> i % 3));

        assertThat(Comparison.of(worse, 1, List.of(), 0.1).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(Comparison.of(same, 1, List.of(), 0.02).verdict()).isEqualTo(Verdict.PASS);
        assertThat(Comparison.of(same, 1, List.of(), 0.02).flips()).isEmpty();
    }

    @Test
    void shouldSayThatNothingIsSharedWhenNothingIs() {
        PairedCases cases = PairedCases.of(List.of(one("a", "1", 1)), List.of(one("b", "1", 1)));

        Comparison comparison = Comparison.of(cases, 1, reducers(), 0.02);

        assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(comparison.reasons()).containsExactly(GateReason.NO_SHARED_CASES);
        assertThat(comparison.metrics()).allSatisfy(metric -> {
            assertThat(metric.a().value()).isNull();
            assertThat(metric.p()).isNull();
            assertThat(metric.difference().value()).isNull();
        });
    }

    @Test
    void shouldBeTheSameWhenCasesComeInAnotherOrder() {
        Random random = new Random(12);
        List<ComparedCase> first = new ArrayList<>(cases(50, _ -> random.nextInt(3)));
        List<ComparedCase> second = new ArrayList<>(cases(50, _ -> random.nextInt(3)));
        Comparison comparison = Comparison.of(PairedCases.of(first, second), 0.5, reducers(), 0.1);
        Collections.shuffle(first, random);
        Collections.shuffle(second, random);

        assertThat(Comparison.of(PairedCases.of(first, second), 0.5, reducers(), 0.1))
                .isEqualTo(comparison);
    }

    @Test
    void shouldCompareWhatTrialsTakeByTheRatioOfMeans() {
        List<ComparedCase> first = taking(new double[] {10, 20, 30, 40, 50}, 0, 0.01);
        List<ComparedCase> second = taking(new double[] {20, 50, 60, 70, 100}, 0, 0.03);

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0);

        ComparedMetric tokens = metric(comparison, "tokens");
        assertThat(tokens.difference().value()).isEqualTo(30);
        ComparedMetric.Difference ratio = requireNonNull(tokens.ratio());
        assertThat(ratio.value()).isEqualTo(2);
        // Residuals b − 2 a are 0, 10, 0, −10 and 0, so se² = 200 / (5 · 4 · 30²); t of four degrees of freedom.
        assertThat(ratio.high()).isCloseTo(2 + 2.776445 * Math.sqrt(200 / (20 * 900.0)), within(1e-6));
        ComparedMetric cost = metric(comparison, "cost");
        assertThat(requireNonNull(cost.ratio()).value()).isCloseTo(3, within(1e-12));
        assertThat(metric(comparison, "latency").why()).isEqualTo(ComparedMetric.Why.MISSING_EVIDENCE);
        assertThat(requireNonNull(comparison.detectable()).casesNeeded()).isNull();
    }

    @Test
    void shouldCompareNoCostWhenOneIsUnknown() {
        List<ComparedCase> first = taking(new double[] {10, 20, 30}, 0, 0.01);
        List<ComparedCase> second = new ArrayList<>(taking(new double[] {10, 20, 30}, 0, 0.02));
        second.set(2, taking(new double[] {10, 20, 30}, 1, 0.02).get(2));

        ComparedMetric cost = metric(Comparison.of(PairedCases.of(first, second), 1, List.of(), 0), "cost");

        assertThat(cost.ratio()).isNull();
        assertThat(cost.b().value()).isNull();
        assertThat(cost.why()).isEqualTo(ComparedMetric.Why.UNKNOWN_COST);
    }

    @Test
    void shouldHaveNoRatioWhenTheFirstTakesNothing() {
        List<ComparedCase> first = taking(new double[] {0, 0}, 0, 0);
        List<ComparedCase> second = taking(new double[] {10, 20}, 0, 0.01);

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0);

        ComparedMetric tokens = metric(comparison, "tokens");
        assertThat(tokens.a().value()).isZero();
        assertThat(tokens.difference().value()).isEqualTo(15);
        assertThat(requireNonNull(tokens.ratio()).value()).isNull();
        assertThat(tokens.why()).isEqualTo(ComparedMetric.Why.BASE_IS_ZERO);
    }

    /** Unknown trials are no failures: what is known is the same, so nothing regressed. */
    @Test
    void shouldFindNoDifferenceWhenTrialsAreOnlyMissing() {
        List<ComparedCase> first = cases(60, _ -> 2);
        List<ComparedCase> second = IntStream.range(0, 60)
                .mapToObj(i ->
                        new ComparedCase("c" + i, "1", new CaseCounts(i % 5 == 0 ? 0 : 2, i % 5 == 0 ? 2 : 0, 2)))
                .toList();

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, reducers(), 0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        assertThat(trials.p()).isEqualTo(1);
        assertThat(trials.difference().value()).as("as the vectors say").isCloseTo(-0.2, within(1e-12));
        assertThat(trials.difference().known()).isZero();
        assertThat(trials.difference().knownCases()).isEqualTo(48);
        assertThat(trials.b().known()).isEqualTo(1);
        assertThat(trials.b().asked()).isEqualTo(96);
        assertThat(metric(comparison, "cases-passed").p()).isEqualTo(1);
        assertThat(comparison.flips()).isEmpty();
    }

    @Test
    void shouldFlipByWhatIsKnown() {
        List<ComparedCase> first = List.of(new ComparedCase("a", "1", new CaseCounts(4, 0, 5)));
        List<ComparedCase> second = List.of(new ComparedCase("a", "1", new CaseCounts(1, 3, 5)));

        assertThat(Comparison.of(PairedCases.of(first, second), 1, List.of(), 0).flips())
                .singleElement()
                .satisfies(flip -> {
                    assertThat(flip.a()).isEqualTo(0.8);
                    assertThat(flip.b()).isEqualTo(0.5);
                    assertThat(flip.difference()).isCloseTo(-0.3, within(1e-12));
                });
    }

    @Test
    void shouldCompareOnlyWhatDoesNotDependOnTrialsWhenTheirNumbersDiffer() {
        List<ComparedCase> first = cases(10, _ -> 1);
        List<ComparedCase> second = IntStream.range(0, 10)
                .mapToObj(i -> new ComparedCase("c" + i, "1", new CaseCounts(3, 0, 5)))
                .toList();
        List<Reducer> reducers = Stream.of("at_least_1", "max", "min", "median", "mode", "mean", "pass_at_2")
                .map(name -> requireNonNull(Reducer.named(name)))
                .toList();

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, reducers, 0.02);

        assertThat(comparison.metrics())
                .filteredOn(one -> one.why() == ComparedMetric.Why.UNEQUAL_TRIALS)
                .allSatisfy(one -> {
                    assertThat(one.a().value()).isNull();
                    assertThat(one.difference().value()).isNull();
                    assertThat(one.p()).isNull();
                })
                .extracting(ComparedMetric::name)
                .containsExactly("cases-passed", "at_least_1", "max", "min", "median", "mode");
        ComparedMetric trials = comparison.metrics().getFirst();
        assertThat(trials.test()).isEqualTo(ComparedMetric.Test.SIGN_FLIP_STUDENTISED);
        // c = 1 / 14 and V = (0.1 + 2) / 14 − c²; T = c / √(V / 14), t of 13 degrees of freedom.
        assertThat(trials.p()).isCloseTo(0.4950, within(1e-4));
    }

    /** Fewer known trials make it easier to pass all or one of them: only cases with as many on both sides are compared. */
    @Test
    void shouldReduceOnlyCasesOfAsManyKnownTrials() {
        List<ComparedCase> first = cases(4, _ -> 2);
        List<ComparedCase> second = IntStream.range(0, 4)
                .mapToObj(i -> new ComparedCase("c" + i, "1", new CaseCounts(1, i < 2 ? 1 : 0, 2)))
                .toList();

        Comparison comparison =
                Comparison.of(PairedCases.of(first, second), 1, List.of(requireNonNull(Reducer.named("min"))), 0.02);

        assertThat(metric(comparison, "min").difference().cases()).isEqualTo(2);
        assertThat(metric(comparison, "min").difference().value()).isEqualTo(-1);
        ComparedMetric passed = metric(comparison, "cases-passed");
        assertThat(passed.difference().knownCases()).isEqualTo(2);
        assertThat(passed.difference().known()).isEqualTo(-1);
        assertThat(passed.p()).isEqualTo(0.5);
    }

    @Test
    void shouldLeaveOutGroupsWhenCasesAreRelated() {
        List<ComparedCase> first = grouped(cases(12, _ -> 2), 6);
        List<ComparedCase> second = grouped(cases(12, i -> i % 3 == 0 ? 0 : 2), 6);

        ComparedMetric alone = Comparison.of(
                        PairedCases.of(cases(12, _ -> 2), cases(12, i -> i % 3 == 0 ? 0 : 2)), 1, List.of(), 0.02)
                .metrics()
                .getFirst();
        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        ComparedMetric.Difference difference = trials.difference();
        assertThat(difference.groups()).isEqualTo(6);
        assertThat(trials.test()).isEqualTo(ComparedMetric.Test.GROUP_JACKKNIFE);
        // Without a group the mean is −0.2 twice and −0.4 four times: se² = 5/6 · 4/75 = 2/45; t of five degrees of
        // freedom.
        assertThat(difference.low()).isCloseTo(-1 / 3.0 - 2.570582 * Math.sqrt(2 / 45.0), within(1e-6));
        assertThat(difference.high()).isCloseTo(-1 / 3.0 + 2.570582 * Math.sqrt(2 / 45.0), within(1e-6));
        assertThat(trials.p()).isCloseTo(0.1747, within(1e-4));
        assertThat(trials.p()).isGreaterThan(requireNonNull(alone.p()));
        assertThat(requireNonNull(difference.high()) - requireNonNull(difference.low()))
                .isGreaterThan(requireNonNull(alone.difference().high())
                        - requireNonNull(alone.difference().low()));
        assertThat(trials.a().clusters().groups()).isEqualTo(6);
    }

    @Test
    void shouldSayNothingOfOtherGroupsWhenThereIsOne() {
        Comparison comparison = Comparison.of(
                PairedCases.of(grouped(cases(12, _ -> 2), 1), grouped(cases(12, i -> i % 3), 1)), 1, List.of(), 0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        assertThat(trials.why()).isEqualTo(ComparedMetric.Why.ONE_GROUP);
        assertThat(trials.difference().value()).isNotNull();
        assertThat(trials.difference().low()).isNull();
        assertThat(trials.p()).isNull();
        assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
    }

    /** All groups alike say as much as so many cases, and not that the truth is known. */
    @Test
    void shouldStayCautiousWhenAllGroupsDifferAlike() {
        List<ComparedCase> first = grouped(cases(40, _ -> 2), 4);

        Comparison same = Comparison.of(PairedCases.of(first, first), 1, List.of(), 0.02);

        assertThat(same.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(same.metrics().getFirst().p()).isEqualTo(1);
        assertThat(same.metrics().getFirst().difference().low()).isLessThan(-0.2);
    }

    @Test
    void shouldSayWhatIsMissingWhenWhatIsKnownWouldDecide() {
        List<ComparedCase> first = cases(400, _ -> 2);
        List<ComparedCase> second = IntStream.range(0, 400)
                .mapToObj(i -> new ComparedCase("c" + i, "1", new CaseCounts(1, 1, 2)))
                .toList();

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0.02);

        assertThat(comparison.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(comparison.reasons()).containsExactly(GateReason.MISSING_EVIDENCE);
    }

    @Test
    void shouldTestScoresByT() {
        double[] before = {0.5, 0.6, 0.7, 0.8};
        double[] after = {0.4, 0.6, 0.5, 0.6};
        List<Reducer> mean = List.of(requireNonNull(Reducer.named("mean")));

        Comparison comparison = Comparison.of(PairedCases.of(scoring(before), scoring(after)), 1, mean, 0.02);

        ComparedMetric scores = metric(comparison, "mean");
        assertThat(scores.test()).isEqualTo(ComparedMetric.Test.PAIRED_T);
        // Differences −0.1, 0, −0.2 and −0.2: mean −0.125, s = 0.0957427, t = −2.611165 of three degrees of freedom.
        assertThat(scores.p()).isCloseTo(0.0796, within(1e-4));
        assertThat(scores.difference().high()).isCloseTo(-0.125 + 3.182446 * 0.0957427 / 2, within(1e-5));
        assertThat(scores.pHolm()).as("of three tests").isCloseTo(3 * requireNonNull(scores.p()), within(1e-12));
        assertThat(scores.a().low()).isCloseTo(0.65 - 3.182446 * 0.1290994 / 2, within(1e-5));
        Comparison same = Comparison.of(PairedCases.of(scoring(before), scoring(before)), 1, mean, 0.02);
        assertThat(metric(same, "mean").p()).isEqualTo(1);
        assertThat(metric(same, "mean").difference().low()).as("plus-four").isLessThan(-0.3);
    }

    @Test
    void shouldCountATestOnceWhenEachCaseHasOneTrial() {
        List<ComparedCase> first = ones(30, _ -> 1);
        List<ComparedCase> second = ones(30, i -> i < 7 ? 0 : 1);

        Comparison comparison =
                Comparison.of(PairedCases.of(first, second), 1, List.of(requireNonNull(Reducer.named("mean"))), 0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        assertThat(trials.pHolm()).isEqualTo(trials.p()).isEqualTo(2 / 128.0);
        assertThat(metric(comparison, "cases-passed").pHolm()).isEqualTo(trials.p());
        assertThat(metric(comparison, "mean").pHolm()).isEqualTo(trials.p());
    }

    /** The sign flip of many cases is normal, McNemar's test exact: they differ, and are one test all the same. */
    @Test
    void shouldCountATestOnceWhenManyCasesHaveOneTrial() {
        Comparison comparison = Comparison.of(
                PairedCases.of(ones(6_000, i -> i % 2), ones(6_000, i -> i < 100 ? 1 : (i + 1) % 2)),
                1,
                List.of(),
                0.02);

        ComparedMetric trials = comparison.metrics().getFirst();
        ComparedMetric cases = metric(comparison, "cases-passed");
        assertThat(cases.p()).isNotEqualTo(trials.p());
        assertThat(trials.pHolm()).isEqualTo(trials.p());
        assertThat(cases.pHolm()).isEqualTo(trials.p());
    }

    @Test
    void shouldCompareTheCasesOfEachTagWhereTheSecondHasTags() {
        List<ComparedCase> first = new ArrayList<>(cases(12, _ -> 2));
        List<ComparedCase> second = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            List<String> tags = i < 8 ? List.of("maths", "cost", "maths") : i < 11 ? List.of("geo") : List.of();
            second.add(one("c" + i, "1", i < 8 ? 0 : 2).with(tags));
        }
        second.add(one("other", "1", 0).with(List.of("unpaired")));

        List<ComparedMetric> tags =
                Comparison.of(PairedCases.of(first, second), 1, List.of(), 0.1).tags();

        assertThat(tags).extracting(ComparedMetric::name).containsExactly("cost", "maths", "geo");
        ComparedMetric maths = tags.get(1);
        assertThat(maths.a().successes()).isEqualTo(16);
        assertThat(maths.b().denominator()).isEqualTo(16);
        assertThat(maths.difference().value()).isEqualTo(-1);
        assertThat(maths.difference().cases()).isEqualTo(8);
        assertThat(maths.p()).isEqualTo(2 / 256.0);
        assertThat(maths.pHolm()).as("of three tags").isEqualTo(3 * 2 / 256.0);
        assertThat(tags.getLast().difference().value()).isZero();
        assertThat(tags.getLast().p()).isEqualTo(1);
    }

    @Test
    void shouldCompareTheTagsOfMostCasesWhenThereAreMany() {
        List<ComparedCase> cases = IntStream.range(0, 30)
                .mapToObj(i -> one("c" + i, "1", 1)
                        .with(IntStream.rangeClosed(0, i)
                                .mapToObj(n -> "tag-" + n)
                                .toList()))
                .toList();

        assertThat(Comparison.of(PairedCases.of(cases, cases), 1, List.of(), 0).tags())
                .extracting(ComparedMetric::name)
                .hasSize(Comparison.MOST_TAGS)
                .startsWith("tag-0", "tag-1")
                .endsWith("tag-19");
    }

    /** Without a difference the measured V is 2 / K′, whatever the cases are. */
    @Test
    void shouldSayWhatSoManyCasesCanFind() {
        Comparison comparison =
                Comparison.of(PairedCases.of(cases(396, _ -> 2), cases(396, _ -> 2)), 1, List.of(), 0.02);

        double variance = 2 / 400.0;
        double found = requireNonNull(requireNonNull(comparison.detectable()).smallest());
        double centre = 396 * found / 400;
        double spread = (396 * (variance + found * found) + 2) / 400 - centre * centre;
        assertThat(centre - 1.959964 * Math.sqrt(spread / 400))
                .isCloseTo(0.841621 * Math.sqrt(396 * variance) / 400, within(1e-6));
        assertThat(comparison.detectable().casesNeeded()).isBetween(150L, 250L);
        assertThat(comparison.detectable().why()).isNull();
    }

    @Test
    void shouldSayThatNothingIsFoundWhenCasesAreTooFew() {
        Comparison comparison = Comparison.of(PairedCases.of(cases(1, _ -> 2), cases(1, _ -> 2)), 1, List.of(), 0.02);

        assertThat(requireNonNull(comparison.detectable()).smallest()).isNull();
        assertThat(comparison.detectable().why()).isEqualTo(FindableDifference.Why.NONE_FINDABLE);
    }

    private static List<Reducer> reducers() {
        return List.of(requireNonNull(Reducer.named("pass_at_2")));
    }

    private static ComparedMetric metric(Comparison comparison, String name) {
        return comparison.metrics().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<ComparedCase> taking(double[] tokens, int unpriced, double costUsd) {
        return IntStream.range(0, tokens.length)
                .mapToObj(
                        i -> one("c" + i, "1", 1).with(new CaseMeasures(tokens[i], costUsd, unpriced, null, List.of())))
                .toList();
    }

    private static List<ComparedCase> scoring(double[] scores) {
        return IntStream.range(0, scores.length)
                .mapToObj(i ->
                        one("c" + i, "1", 1).with(new CaseMeasures(null, null, 0, null, List.of(scores[i], scores[i]))))
                .toList();
    }

    private static List<ComparedCase> grouped(List<ComparedCase> cases, int groups) {
        return IntStream.range(0, cases.size())
                .mapToObj(i -> cases.get(i).in("g" + i % groups))
                .toList();
    }

    private static List<ComparedCase> ones(int count, IntUnaryOperator passed) {
        return IntStream.range(0, count)
                .mapToObj(i -> new ComparedCase("c" + i, "1", new CaseCounts(passed.applyAsInt(i), 0, 1)))
                .toList();
    }

    private static List<ComparedCase> cases(int count, IntUnaryOperator passed) {
        return IntStream.range(0, count)
                .mapToObj(i -> one("c" + i, "1", passed.applyAsInt(i)))
                .toList();
    }

    private static ComparedCase one(String id, String hash, int passed) {
        return new ComparedCase(id, hash, new CaseCounts(passed, 0, 2));
    }
}
