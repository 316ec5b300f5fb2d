package dev.assay.domain.gate.forecast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.NonInferiority;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.PairedDifference;
import dev.assay.domain.stop.NeededCells;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.StopTally;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.stop.SureLooks;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BetaDistribution;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Does a gate say what was forecast? Campaigns are drawn whose truth is known, and the gate itself decides them, twice. */
class GateKindTest {

    /** Of a setting; {@code -Dassay.campaigns=N} draws more. */
    private static final int CAMPAIGNS = Integer.getInteger("assay.campaigns", 300);

    /** Three standard errors of what is counted. */
    private static final double NOISE = 1.5 / Math.sqrt(CAMPAIGNS);

    private final SplittableRandom random = new SplittableRandom(3);

    private static GatePolicy thresholds(double pass, double suite) {
        return new GatePolicy(pass, suite, List.of());
    }

    private static GatePolicy rule(double threshold) {
        return new GatePolicy(
                1, null, List.of(), GateDemands.NONE, new RateRule(RateRule.Metric.TRIAL_RATE, threshold, 0.05), null);
    }

    @Test
    void shouldForecastExactlyWhatCanBeCounted() {
        VerdictChances chances =
                GateKind.of(thresholds(1, 1), 1, StopRule.NONE, null).chances(new PlannedSuite(4, 2, 0.9, 0));

        double passes = Math.pow(0.9, 8);
        assertThat(chances.pass()).isCloseTo(passes, within(1e-12));
        assertThat(chances.sameTwice(1)).isCloseTo(passes * passes + (1 - passes) * (1 - passes), within(1e-12));
        assertThat(chances.passes(2)).isCloseTo(passes * passes, within(1e-12));
    }

    /** Cases that always pass or never do give the same verdict in every run. */
    @Test
    void shouldRepeatItselfWhenTheCasesDecide() {
        for (GatePolicy policy : List.of(thresholds(0.5, 0.8), rule(0.8))) {
            VerdictChances chances =
                    GateKind.of(policy, 1, StopRule.NONE, null).chances(new PlannedSuite(20, 3, 0.8, 1));

            assertThat(chances.sameTwice(1)).isCloseTo(1, within(1e-6));
            assertThat(chances.pass()).isBetween(0.0, 0.8);
        }
    }

    @Test
    void shouldBeCertainAtTheEnds() {
        for (StopRule stop : List.of(StopRule.NONE, StopRule.SURE)) {
            GateKind sure = GateKind.of(rule(0.8), 2, stop, null);
            assertThat(sure.chances(new PlannedSuite(28, 5, 1, 0.5)).passes(2)).isCloseTo(1, within(1e-9));
            assertThat(sure.chances(new PlannedSuite(28, 5, 0, 0.5)).fail()).isCloseTo(1, within(1e-9));
        }
        assertThat(GateKind.of(rule(1), 1, StopRule.NONE, null)
                        .chances(new PlannedSuite(28, 5, 1, 0.5))
                        .pass())
                .as("nothing is surely perfect")
                .isZero();
        assertThat(AskedShares.of(rule(0.8), 1, StopRule.SURE, new PlannedSuite(100, 10, 1, 0.5))
                        .gated())
                .isCloseTo(0.1, within(1e-9));
        assertThat(AskedShares.of(thresholds(1, 1), 1, StopRule.SETTLED, new PlannedSuite(100, 10, 0, 0.5))
                        .gated())
                .as("the first case fails")
                .isCloseTo(0.001, within(1e-9));
    }

    @Test
    @Timeout(20)
    void shouldForecastLargeCampaignsWithoutDelay() {
        PlannedSuite large = new PlannedSuite(100_000, 10, 0.9, 0.5);
        PlannedSuite deep = new PlannedSuite(5, 1_000, 0.9, 0.99);
        for (PlannedSuite suite : List.of(large, deep)) {
            for (StopRule stop : StopRule.values()) {
                GatePolicy policy = stop == StopRule.SURE ? rule(0.9) : thresholds(0.8, 0.8);
                VerdictChances chances = GateKind.of(policy, 3, stop, null).chances(suite);
                AskedShares shares = AskedShares.of(policy, 3, stop, suite);

                assertThat(chances.sameTwice(3)).isBetween(0.3, 1.0);
                assertThat(shares.gated()).isBetween(0.0001, 1.0);
            }
        }
    }

    @ParameterizedTest
    @Tag("slow")
    @Timeout(120)
    @CsvSource({
        "28, 5, 0.9, 0.5, 0.8, 0.9",
        "28, 5, 0.98, 0.3, 1, 1",
        "10, 2, 0.8, 0.8, 0.5, 0.8",
        "40, 1, 0.9, 0.5, 1, 0.9",
        "600, 2, 0.9, 0.5, 1, 0.85"
    })
    void shouldForecastThresholds(int cases, int trials, double rate, double icc, double pass, double suite) {
        GatePolicy policy = thresholds(pass, suite);
        check(policy, StopRule.NONE, new PlannedSuite(cases, trials, rate, icc), null, 0.02);
    }

    @ParameterizedTest
    @Tag("slow")
    @Timeout(120)
    @CsvSource({
        "28, 5, 0.9, 0.5, 0.8, NONE", "28, 5, 0.9, 0, 0.85, NONE", "5, 2, 0.7, 0.5, 0.4, NONE",
        "100, 10, 0.92, 0.3, 0.9, NONE", "28, 20, 0.85, 0.5, 0.8, SURE", "28, 20, 0.75, 0.2, 0.8, SURE",
        "100, 5, 0.93, 0.8, 0.9, SURE", "600, 4, 0.91, 0.5, 0.9, SURE"
    })
    void shouldForecastRules(int cases, int trials, double rate, double icc, double threshold, StopRule stop) {
        check(rule(threshold), stop, new PlannedSuite(cases, trials, rate, icc), null, 0.03);
    }

    @ParameterizedTest
    @Tag("slow")
    @Timeout(120)
    @CsvSource({
        "28, 5, 0.9, 0.5, 0.1, 0.9, 5",
        "100, 2, 0.9, 0.5, 0.05, 0.9, 2",
        "28, 3, 0.6, 0.5, 0.1, 0.9, 3",
        "200, 1, 0.85, 0.3, 0.02, 0.9, 5",
        "50, 2, 0.95, 0.5, 0.02, 0.95, 2"
    })
    void shouldForecastBaselines(
            int cases, int trials, double rate, double icc, double maxDrop, double before, int beforeTrials) {
        GatePolicy policy =
                new GatePolicy(1, null, List.of(), GateDemands.NONE, null, new BaselineRule("earlier", null, maxDrop));
        check(
                policy,
                StopRule.NONE,
                new PlannedSuite(cases, trials, rate, icc),
                new BaselineRates(before, beforeTrials, cases, 0.5),
                0.05);
    }

    @ParameterizedTest
    @Tag("slow")
    @Timeout(120)
    @CsvSource({"28, 5, 0.9, 0.5, 1, 1", "28, 5, 0.9, 0.5, 0.8, 0.9", "40, 4, 0.8, 0.3, 0.5, 0.7"})
    void shouldForecastWhatSettledCampaignsAsk(
            int cases, int trials, double rate, double icc, double pass, double suite) {
        check(thresholds(pass, suite), StopRule.SETTLED, new PlannedSuite(cases, trials, rate, icc), null, 0.02);
    }

    private record Drawn(Verdict verdict, int asked) {}

    private void check(
            GatePolicy policy, StopRule stop, PlannedSuite suite, @Nullable BaselineRates baseline, double tolerance) {
        double[] quantiles = quantiles(suite.rate(), suite.icc());
        double[] earlier = baseline == null ? quantiles : quantiles(baseline.rate(), suite.icc());
        int passes = 0;
        int same = 0;
        double asked = 0;
        for (int campaign = 0; campaign < CAMPAIGNS; campaign++) {
            double[] rates = new double[suite.cases()];
            double[] before = new double[suite.cases()];
            for (int i = 0; i < rates.length; i++) {
                int place = random.nextInt(quantiles.length);
                int other = random.nextDouble() < 0.5 ? place : random.nextInt(quantiles.length);
                rates[i] = quantiles[place];
                before[i] =
                        baseline == null ? 0 : (double) passed(earlier[other], baseline.trials()) / baseline.trials();
            }
            Drawn first = run(policy, stop, suite, rates, before);
            Drawn second = run(policy, stop, suite, rates, before);
            passes += first.verdict() == Verdict.PASS ? 1 : 0;
            same += first.verdict() == second.verdict() ? 1 : 0;
            asked += (double) first.asked() / suite.all();
        }
        VerdictChances said = GateKind.of(policy, 1, stop, baseline).chances(suite);
        AskedShares shares = AskedShares.of(policy, 1, stop, suite);
        System.out.printf(
                "%s %s: PASS said %.3f, was %.3f; same said %.3f, was %.3f; asked said %.3f, was %.3f%n",
                stop,
                suite,
                said.pass(),
                (double) passes / CAMPAIGNS,
                said.sameTwice(1),
                (double) same / CAMPAIGNS,
                shares.gated(),
                asked / CAMPAIGNS);
        assertThat(said.pass()).isCloseTo((double) passes / CAMPAIGNS, within(tolerance + NOISE));
        assertThat(said.sameTwice(1)).isCloseTo((double) same / CAMPAIGNS, within(tolerance + NOISE));
        assertThat(shares.gated()).isCloseTo(asked / CAMPAIGNS, within(0.01 + NOISE));
    }

    private Drawn run(GatePolicy policy, StopRule stop, PlannedSuite suite, double[] rates, double[] before) {
        boolean[][] trials = new boolean[suite.trials()][rates.length];
        int[] passed = new int[rates.length];
        for (int trial = 0; trial < suite.trials(); trial++) {
            for (int i = 0; i < rates.length; i++) {
                trials[trial][i] = random.nextDouble() < rates[i];
                passed[i] += trials[trial][i] ? 1 : 0;
            }
        }
        List<CaseCounts> counts = Arrays.stream(passed)
                .mapToObj(one -> new CaseCounts(one, 0, suite.trials()))
                .toList();
        if (policy.baseline() != null) {
            double[] after = Arrays.stream(passed)
                    .mapToDouble(one -> (double) one / suite.trials())
                    .toArray();
            return new Drawn(
                    NonInferiority.verdict(
                            PairedDifference.of(before, after, 0.95),
                            policy.baseline().maxDrop()),
                    suite.all());
        }
        return switch (stop) {
            case NONE ->
                new Drawn(
                        new Gate(policy, 1)
                                .decide(counts, new Gate.Doubt(0, 0, 0))
                                .verdict(),
                        suite.all());
            case SETTLED -> new Drawn(new Gate(policy, 1).byCases(counts), settled(policy, suite, trials));
            case SURE -> sure(policy, suite, trials);
        };
    }

    private static int settled(GatePolicy policy, PlannedSuite suite, boolean[][] trials) {
        TrialGrid grid = new TrialGrid(suite.cases(), suite.trials());
        StopTally tally = new StopTally(new Stopping(StopRule.SETTLED, List.of()), grid, policy, List.of("only"));
        int asked = 0;
        for (int ordinal = 0; ordinal < grid.size(); ordinal++) {
            NeededCells needed = tally.needed();
            if (needed.contains(0, grid.caseIndex(ordinal))) {
                boolean passes = trials[grid.trial(ordinal) - 1][grid.caseIndex(ordinal)];
                tally.add(ordinal, 0, passes ? TrialVerdict.PASSED : TrialVerdict.FAILED);
                asked++;
            }
        }
        return asked;
    }

    private static Drawn sure(GatePolicy policy, PlannedSuite suite, boolean[][] trials) {
        SureLooks looks = new SureLooks(
                new TrialGrid(suite.cases(), suite.trials()),
                new Stopping(StopRule.SURE, List.of()),
                requireNonNull(policy.rule()),
                1);
        for (int round = 0; round < trials.length; round++) {
            for (boolean passes : trials[round]) {
                looks.add(round + 1, passes ? TrialVerdict.PASSED : TrialVerdict.FAILED);
            }
            SureLooks.Sure sure = looks.decided();
            if (sure != null) {
                return new Drawn(sure.verdict(), (round + 1) * suite.cases());
            }
        }
        return new Drawn(Verdict.INCONCLUSIVE, suite.all());
    }

    private int passed(double chance, int trials) {
        return (int) IntStream.range(0, trials)
                .filter(_ -> random.nextDouble() < chance)
                .count();
    }

    private static double[] quantiles(double mean, double icc) {
        if (icc == 0) {
            return new double[] {mean};
        }
        double size = (1 - icc) / icc;
        BetaDistribution rates = BetaDistribution.of(mean * size, (1 - mean) * size);
        return IntStream.range(0, 2_000)
                .mapToDouble(i -> rates.inverseCumulativeProbability((i + 0.5) / 2_000))
                .toArray();
    }
}
