package dev.assay.domain.statistics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.statistics.comparison.PairedRatio;
import dev.assay.domain.statistics.comparison.SignFlipTest;
import dev.assay.domain.statistics.forecast.RerunForecast;
import dev.assay.domain.statistics.judging.Agreement;
import dev.assay.domain.statistics.judging.Kappa;
import dev.assay.domain.statistics.judging.KrippendorffAlpha;
import dev.assay.domain.statistics.judging.PairedVerdicts;
import dev.assay.domain.statistics.judging.PredictionPowered;
import dev.assay.domain.statistics.judging.PredictionPowered.Judged;
import dev.assay.domain.statistics.judging.PredictionPowered.Labelled;
import dev.assay.domain.statistics.judging.Share;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds of every function, whatever it is given. */
class StatisticsPropertiesTest {

    private static final int ROUNDS = 60;

    @Test
    void shouldGiveTheSameBitsWhenCasesComeInAnotherOrder() {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            List<CaseCounts> first = cases(random, 1 + random.nextInt(60));
            List<CaseCounts> second = cases(random, first.size());
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, first.size()).boxed().toList());
            Collections.shuffle(order, random);
            List<CaseCounts> otherFirst = order.stream().map(first::get).toList();
            List<CaseCounts> otherSecond = order.stream().map(second::get).toList();

            assertThat(TrialRate.of(otherFirst, 0.95)).isEqualTo(TrialRate.of(first, 0.95));
            assertThat(grouped(otherFirst)).isEqualTo(grouped(first));
            assertThat(reduced(otherFirst)).isEqualTo(reduced(first));
            assertThat(PairedDifference.ofCounts(otherFirst, otherSecond, 0.95))
                    .isEqualTo(PairedDifference.ofCounts(first, second, 0.95));
            assertThat(SignFlipTest.of(otherFirst, otherSecond)).isEqualTo(SignFlipTest.of(first, second));
            assertThat(rerun(otherFirst)).isEqualTo(rerun(first));
        }
    }

    @Test
    void shouldGiveTheSameBitsWhenLabelsAndVotesComeInAnotherOrder() {
        Random random = new Random(2);
        for (int round = 0; round < ROUNDS; round++) {
            List<Labelled> labelled = new ArrayList<>();
            List<Judged> rest = new ArrayList<>();
            List<List<Integer>> units = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                labelled.add(new Labelled(random.nextInt(9), random.nextDouble(), random.nextDouble()));
                rest.add(new Judged(random.nextInt(20), random.nextDouble()));
                units.add(List.of(
                        random.nextInt(9),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3),
                        random.nextInt(3)));
            }
            PredictionPowered mean = PredictionPowered.of(labelled, rest, 0.95);
            Agreement agreement = agreement(units);
            List<Labelled> rows = new ArrayList<>(labelled);
            Kappa kappa = verdicts(rows).kappa(0.95);
            Share share = verdicts(rows).agreement(0.95);
            Collections.shuffle(rows, random);
            assertThat(verdicts(rows).kappa(0.95)).isEqualTo(kappa);
            assertThat(verdicts(rows).agreement(0.95)).isEqualTo(share);
            Collections.shuffle(labelled, random);
            Collections.shuffle(rest, random);
            Collections.shuffle(units, random);

            assertThat(PredictionPowered.of(labelled, rest, 0.95)).isEqualTo(mean);
            assertThat(agreement(units)).isEqualTo(agreement);
        }
    }

    @Test
    void shouldHoldTheValueAndNarrowWhenMoreIsKnown() {
        Random random = new Random(3);
        for (int round = 0; round < 300; round++) {
            List<CaseCounts> cases = cases(random, 1 + random.nextInt(40));
            List<CaseCounts> failed = cases.stream()
                    .map(one -> new CaseCounts(one.passed(), 0, one.planned()))
                    .toList();
            TrialRate rate = TrialRate.of(cases, 0.95);
            Interval population = requireNonNull(rate.population());
            Interval suite = requireNonNull(rate.suite());
            Interval known = requireNonNull(TrialRate.of(failed, 0.95).population());

            assertThat(rate.value()).isBetween(population.low(), population.high());
            assertThat(rate.value()).isBetween(suite.low(), suite.high());
            assertThat(suite.low()).isGreaterThanOrEqualTo(population.low() - 1e-12);
            assertThat(known.low()).isCloseTo(population.low(), within(1e-12));
            assertThat(known.high()).isLessThanOrEqualTo(population.high() + 1e-12);
            assertThat(rate.effective()).isGreaterThanOrEqualTo(cases.size() * (1 - 1e-12));
        }
    }

    @Test
    void shouldMirrorTheIntervalWhenPassesAndFailuresAreExchanged() {
        Random random = new Random(4);
        for (int round = 0; round < 300; round++) {
            double rate = random.nextDouble();
            double size = Math.exp(random.nextDouble() * 14);

            Interval interval = ClopperPearson.of(rate, size);
            Interval mirrored = ClopperPearson.of(1 - rate, size);

            assertThat(interval.low()).isCloseTo(1 - mirrored.high(), within(1e-9));
            assertThat(interval.low()).isBetween(0.0, rate);
            assertThat(interval.high()).isBetween(rate, 1.0);
        }
    }

    /** One trial more of everything would be as good: nothing is read off a table that ends. */
    @Test
    void shouldStayFiniteWhenNumbersAreHuge() {
        List<CaseCounts> cases = new ArrayList<>(Collections.nCopies(50_000, new CaseCounts(9_999, 0, 10_000)));
        cases.addAll(Collections.nCopies(50_000, new CaseCounts(0, 10_000, 10_000)));

        TrialRate rate = TrialRate.of(cases, 0.95);

        assertThat(rate.counts().trials()).isEqualTo(1_000_000_000L);
        assertThat(requireNonNull(rate.population()).low()).isBetween(0.49, 0.5);
        assertThat(requireNonNull(rate.population()).high()).isBetween(0.99, 1.0);
        assertThat(ClopperPearson.of(1e-300, 1e9).high()).isBetween(1e-9, 1e-8);
        assertThat(rerun(Collections.nCopies(100_000, new CaseCounts(1, 0, 2)))).isBetween(0.0, 1.0);
    }

    /** A ratio of ×2 in every case has no width; of two cases with ×1 and ×4 the mean is ×2. */
    @Test
    void shouldTakeTheGeometricMeanWhenComparingTokens() {
        PairedRatio same = PairedRatio.of(new double[] {1, 10, 100}, new double[] {2, 20, 200}, 0.95);
        PairedRatio apart = PairedRatio.of(new double[] {1, 1}, new double[] {1, 4}, 0.95);

        assertThat(same.value()).isCloseTo(2, within(1e-12));
        assertThat(requireNonNull(same.interval()).high()).isCloseTo(2, within(1e-9));
        assertThat(apart.value()).isCloseTo(2, within(1e-12));
        // t with one degree of freedom: exp(ln 2 ∓ 12.706 · ln 2).
        assertThat(requireNonNull(apart.interval()).high()).isCloseTo(Math.pow(2, 13.7062047), within(0.01));
        assertThat(PairedRatio.of(new double[] {1}, new double[] {3}, 0.95).interval())
                .isNull();
        assertThat(PairedRatio.of(new double[] {}, new double[] {}, 0.95).value())
                .isNull();
    }

    private static TrialRate grouped(List<CaseCounts> cases) {
        Map<String, List<CaseCounts>> groups = new LinkedHashMap<>();
        cases.forEach(one -> groups.computeIfAbsent("of " + one.planned(), _ -> new ArrayList<>())
                .add(one));
        return TrialRate.ofGroups(groups, 0.95);
    }

    private static ReducedRate reduced(List<CaseCounts> cases) {
        List<@Nullable Double> values = new ArrayList<>();
        cases.forEach(one -> values.add(AtLeast.passAt(3).probability(one.passed(), one.known())));
        return ReducedRate.of(values, 0.95);
    }

    private static @Nullable Double rerun(List<CaseCounts> cases) {
        return RerunForecast.passes(CaseCounts.grouped(cases), 3, new Threshold(0.6), new Threshold(0.5));
    }

    private static Agreement agreement(List<List<Integer>> units) {
        KrippendorffAlpha<Integer> alpha = new KrippendorffAlpha<>(KrippendorffAlpha.Distance.NOMINAL);
        units.forEach(unit -> alpha.add(unit.getFirst(), unit.subList(1, 2 + unit.getFirst() % 5)));
        return alpha.agreement(0.95);
    }

    private static List<CaseCounts> cases(Random random, int count) {
        List<CaseCounts> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int planned = 1 + random.nextInt(7);
            int passed = random.nextInt(planned + 1);
            cases.add(new CaseCounts(passed, random.nextInt(planned - passed + 1), planned));
        }
        return cases;
    }

    private static PairedVerdicts verdicts(List<Labelled> rows) {
        PairedVerdicts verdicts = new PairedVerdicts();
        rows.forEach(row -> verdicts.add(row.caseIndex(), row.person() >= 0.5, row.judge() >= 0.5));
        return verdicts;
    }
}
