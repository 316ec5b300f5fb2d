package dev.assay.domain.comparison;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.statistics.CaseCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    @Test
    void shouldPairOnlyCasesOfTheSameContent() {
        PairedCases cases = PairedCases.of(
                List.of(one("d", "1", 1), one("a", "1", 2), one("b", "1", 0), one("c", "1", 2)),
                List.of(one("a", "1", 0), one("b", "2", 2), one("e", "1", 2), one("d", "1", 1)));

        assertThat(cases.shared()).containsExactly("a", "d");
        assertThat(cases.first()).extracting(CaseCounts::passed).containsExactly(2, 1);
        assertThat(cases.second()).extracting(CaseCounts::passed).containsExactly(0, 1);
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
    void shouldCompareWhatTrialsTakeByRatioWhereBothSidesSayIt() {
        CaseCounts counts = new CaseCounts(1, 0, 2);
        List<ComparedCase> first = new ArrayList<>();
        List<ComparedCase> second = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            first.add(
                    new ComparedCase("c" + i, "1", counts, new CaseMeasures(1, 10.0 * (i + 1), 0.01, null, List.of())));
            second.add(new ComparedCase(
                    "c" + i, "1", counts, new CaseMeasures(0, 20.0 * (i + 1), i > 0 ? 0.03 : null, 5.0, List.of())));
        }

        Comparison comparison = Comparison.of(PairedCases.of(first, second), 1, List.of(), 0);

        ComparedMetric tokens = comparison.metrics().get(2);
        assertThat(tokens.difference().value()).isEqualTo(30);
        assertThat(requireNonNull(tokens.ratio()).value()).isCloseTo(2, within(1e-12));
        ComparedMetric cost = comparison.metrics().get(3);
        assertThat(requireNonNull(cost.ratio()).cases()).isEqualTo(4);
        assertThat(cost.ratio().low()).isCloseTo(3, within(1e-9));
        assertThat(requireNonNull(comparison.metrics().get(4).ratio()).value()).isNull();
        assertThat(comparison.metrics().getFirst().a().basis().errors()).isEqualTo(5);
        assertThat(requireNonNull(comparison.detectable()).casesNeeded()).isNull();
    }

    @Test
    void shouldCompareTheCasesOfEachTagWhereTheSecondHasTags() {
        List<ComparedCase> first = new ArrayList<>(cases(12, _ -> 2));
        List<ComparedCase> second = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            List<String> tags = i < 8 ? List.of("maths", "cost", "maths") : i < 11 ? List.of("geo") : List.of();
            second.add(new ComparedCase("c" + i, "1", new CaseCounts(i < 8 ? 0 : 2, 0, 2), CaseMeasures.NONE, tags));
        }
        second.add(new ComparedCase("other", "1", new CaseCounts(0, 0, 2), CaseMeasures.NONE, List.of("unpaired")));

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
                .mapToObj(i -> new ComparedCase(
                        "c" + i,
                        "1",
                        new CaseCounts(1, 0, 2),
                        CaseMeasures.NONE,
                        IntStream.rangeClosed(0, i).mapToObj(n -> "tag-" + n).toList()))
                .toList();

        assertThat(Comparison.of(PairedCases.of(cases, cases), 1, List.of(), 0).tags())
                .extracting(ComparedMetric::name)
                .hasSize(Comparison.MOST_TAGS)
                .startsWith("tag-0", "tag-1")
                .endsWith("tag-19");
    }

    /** Without a difference V is 2 / K′, whatever the cases are. */
    @Test
    void shouldSayWhatSoManyCasesCanFind() {
        Comparison comparison =
                Comparison.of(PairedCases.of(cases(396, _ -> 2), cases(396, _ -> 2)), 1, List.of(), 0.02);

        double variance = 2 / 400.0;
        double reach = 1.959964 + 0.841621;
        assertThat(requireNonNull(comparison.detectable()).smallest())
                .isCloseTo(reach * Math.sqrt(variance / 396), within(1e-6));
        assertThat(comparison.detectable().casesNeeded())
                .isEqualTo((long) Math.ceil(reach * reach * variance / 0.0004));
    }

    private static List<Reducer> reducers() {
        return List.of(requireNonNull(Reducer.named("pass_at_2")));
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
