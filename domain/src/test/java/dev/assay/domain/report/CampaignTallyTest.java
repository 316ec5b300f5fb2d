package dev.assay.domain.report;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.gate.BaselineRule;
import dev.assay.domain.gate.CaseStatus;
import dev.assay.domain.gate.Gate;
import dev.assay.domain.gate.GateDemands;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.gate.GateReason;
import dev.assay.domain.gate.Proportion;
import dev.assay.domain.gate.RateBasis;
import dev.assay.domain.gate.RateRule;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.report.fact.SelectionFact;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.comparison.PairedRates;
import dev.assay.domain.usage.Spend;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CampaignTallyTest {

    private static final List<String> TWO_BRANCHES = List.of("small", "large");

    @Test
    void shouldAddUpEachBranchWhenFactsComeInAnyOrder() {
        CampaignTally tally = tally(2, 2, TWO_BRANCHES, new GatePolicy(0.5, 1.0, List.of()));
        tally.add(fact(1, 2, 1, OutcomeStatus.MODEL_ERROR, false))
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(fact(1, 1, 0, OutcomeStatus.COMPLETED, false))
                .add(fact(0, 2, 0, OutcomeStatus.LIMIT, true))
                .add(fact(1, 2, 0, OutcomeStatus.COMPLETED, true))
                .add(fact(0, 1, 1, OutcomeStatus.COMPLETED, true))
                .add(fact(0, 2, 1, OutcomeStatus.TIMED_OUT, false))
                .add(fact(1, 1, 1, OutcomeStatus.COMPLETED, false));

        CampaignSummary summary = tally.summarize();

        BranchSummary small = summary.branches().get(0);
        assertThat(small.trials()).isEqualTo(new BranchSummary.TrialCounts(3, 1, 0, 0));
        assertThat(small.trialPassRate().successes()).isEqualTo(3);
        assertThat(small.trialPassRate().denominator()).isEqualTo(4);
        assertThat(small.trialPassRate().basis().method()).isEqualTo(RateBasis.Method.KORN_GRAUBARD);
        assertThat(small.trialPassRate().clusters().effective()).isBetween(2.0, 4.0);
        assertThat(small.suitePassRate()).isEqualTo(allAsked(2, 2));
        assertThat(small.verdict()).isEqualTo(Verdict.PASS);
        assertThat(small.cases()).extracting(CaseSummary::passCount).containsExactly(2, 1);
        assertThat(small.cases()).extracting(CaseSummary::caseId).containsExactly("case-0", "case-1");
        BranchSummary large = summary.branches().get(1);
        assertThat(large.trials()).isEqualTo(new BranchSummary.TrialCounts(1, 1, 2, 0));
        assertThat(large.cases()).extracting(CaseSummary::status).containsExactly(CaseStatus.PASSED, CaseStatus.FAILED);
        assertThat(large.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(summary.suitePassRate()).isEqualTo(allAsked(1, 2));
    }

    private static Proportion allAsked(int passed, int cases) {
        CaseCounts counts = new CaseCounts(passed, 0, cases);
        return Proportion.of(counts, counts, cases);
    }

    @Test
    void shouldCountWinsOfDecidedTrialsOnlyWhenSelectionsDiffer() {
        CampaignTally tally = tally(5, 1, TWO_BRANCHES, GatePolicy.DEFAULT);
        // In case 1 branch small failed, and could not be chosen.
        tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, false))
                .add(fact(0, 1, 1, OutcomeStatus.LIMIT, true))
                .add(fact(1, 1, 0, OutcomeStatus.MODEL_ERROR, false))
                .add(fact(1, 1, 1, OutcomeStatus.COMPLETED, true))
                .add(new SelectionFact(0, 1, 1, false, true))
                .add(new SelectionFact(1, 1, 1, false, true))
                .add(new SelectionFact(2, 1, 0, true, false))
                .add(new SelectionFact(3, 1, null, false, false));

        CampaignSummary summary = tally.summarize();

        assertThat(summary.selections()).isEqualTo(new CampaignSummary.SelectionCounts(5, 2, 1, 1, 1));
        assertThat(summary.branches())
                .extracting(branch ->
                        branch.wins().successes() + " of " + branch.wins().denominator())
                .containsExactly("0 of 1", "2 of 2");
    }

    @Test
    void shouldCountNoWinWhenARuleForTiesChose() {
        CampaignTally tally = tally(2, 1, TWO_BRANCHES, GatePolicy.DEFAULT);
        for (int i = 0; i < 2; i++) {
            tally.add(fact(i, 1, 0, OutcomeStatus.COMPLETED, true)).add(fact(i, 1, 1, OutcomeStatus.COMPLETED, true));
        }
        tally.add(new SelectionFact(0, 1, 0, false, true, true, List.of()))
                .add(new SelectionFact(1, 1, 0, false, true));

        BranchSummary first = tally.summarize().branches().getFirst();

        assertThat(first.wins().successes()).isEqualTo(1);
        assertThat(first.wins().denominator()).isEqualTo(2);
        assertThat(first.chosen().ties()).isEqualTo(1);
    }

    @Test
    void shouldLeaveATrialOutOfTheWinsWhenALimitEndedItWithoutAText() {
        CampaignTally tally = tally(1, 1, TWO_BRANCHES, GatePolicy.DEFAULT);
        tally.add(new OutcomeFact(0, 1, 0, OutcomeStatus.LIMIT, false, Usage.NONE, null, 10, false))
                .add(new OutcomeFact(0, 1, 1, OutcomeStatus.LIMIT, true, Usage.NONE, null, 10, true))
                .add(new SelectionFact(0, 1, 1, false, true));

        assertThat(tally.summarize().branches())
                .extracting(branch -> branch.wins().denominator())
                .containsExactly(0, 1);
    }

    @Test
    void shouldWriteTheSameBytesWhenTheSameRowsComeInAnyOrder() {
        Random random = new Random(3);
        List<OutcomeFact> outcomes = new ArrayList<>();
        List<SelectionFact> selections = new ArrayList<>();
        for (int i = 0; i < 12 * 3; i++) {
            selections.add(new SelectionFact(i / 3, i % 3 + 1, i % 2, i % 5 == 0, i % 5 != 0, i % 4 == 1, List.of()));
            for (int branch = 0; branch < 2; branch++) {
                OutcomeStatus status = OutcomeStatus.values()[random.nextInt(OutcomeStatus.values().length)];
                BigDecimal cost = random.nextInt(4) == 0 ? null : new BigDecimal("0.1").scaleByPowerOfTen(-i % 7);
                outcomes.add(new OutcomeFact(
                        i / 3, i % 3 + 1, branch, status, random.nextBoolean(), Usage.of(i, 1), cost, i * 31 % 97));
            }
        }
        Set<String> written = new HashSet<>();
        for (int round = 0; round < 5; round++) {
            CampaignTally tally = new CampaignTally(
                    new TrialGrid(12, 3),
                    caseIds(12),
                    TWO_BRANCHES,
                    new TallyRules(GatePolicy.DEFAULT, reducers(), false, null));
            outcomes.forEach(tally::add);
            selections.forEach(tally::add);
            written.add(Json.write(tally.summarize()));
            Collections.shuffle(outcomes, random);
            Collections.shuffle(selections, random);
        }

        assertThat(written).hasSize(1);
    }

    @Test
    void shouldGiveEachReducerUnderItsNameWhenTheCampaignNamesSome() {
        CampaignTally tally = new CampaignTally(
                new TrialGrid(2, 2),
                caseIds(2),
                List.of("only"),
                new TallyRules(GatePolicy.DEFAULT, reducers(), false, null));
        tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(fact(0, 2, 0, OutcomeStatus.COMPLETED, false))
                .add(fact(1, 1, 0, OutcomeStatus.COMPLETED, true));

        Map<String, ReducerRate> reducers =
                tally.summarize().branches().getFirst().reducers();

        assertThat(reducers).containsOnlyKeys("pass_at_2", "mean", "pass_at_5");
        assertThat(reducers.get("pass_at_2").value()).isEqualTo(1);
        assertThat(reducers.get("pass_at_2").cases()).isEqualTo(1);
        assertThat(reducers.get("pass_at_2").undefined()).isEqualTo(1);
        assertThat(reducers.get("mean").value()).isEqualTo(0.75);
        assertThat(reducers.get("pass_at_5"))
                .isEqualTo(new ReducerRate(null, null, null, 0, 2, ReducerRate.Why.TOO_FEW_TRIALS));
    }

    @Test
    void shouldKnowNothingOfErrorsWhenTheGateSaysSo() {
        GateDemands unknown = new GateDemands(null, GateDemands.ErrorTreatment.UNKNOWN, 1);
        for (GateDemands demands : List.of(GateDemands.NONE, unknown)) {
            CampaignTally tally = tally(2, 1, List.of("only"), new GatePolicy(1, 1.0, List.of(), demands, null, null));
            tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)).add(fact(1, 1, 0, OutcomeStatus.TIMED_OUT, false));

            CampaignSummary summary = tally.summarize();

            boolean fails = demands == GateDemands.NONE;
            assertThat(summary.verdict()).isEqualTo(fails ? Verdict.FAIL : Verdict.INCONCLUSIVE);
            assertThat(summary.gate().reasons()).isEqualTo(fails ? List.of() : List.of(GateReason.ERRORS));
            assertThat(summary.branches().getFirst().trialPassRate().basis().errors())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // minAgreement, maxErrorRate, errors of 20 trials that else pass; verdict, reason
        ", 1, 0, PASS, ",
        "0.5, 1, 0, PASS, ",
        "1, 1, 0, INCONCLUSIVE, UNREPEATABLE",
        ", 0.04, 1, INCONCLUSIVE, ERRORS",
        ", 0.05, 1, PASS, ",
    })
    void shouldSayWhyWhenTheGateAsksForMoreThanItGets(
            @Nullable Double agreement, double errorRate, int errors, Verdict verdict, @Nullable GateReason reason) {
        GateDemands demands = new GateDemands(agreement, GateDemands.ErrorTreatment.FAIL, errorRate);
        CampaignTally tally = tally(2, 10, List.of("only"), new GatePolicy(0.8, 0.8, List.of(), demands, null, null));
        for (int i = 0; i < 20; i++) {
            tally.add(fact(
                    i % 2,
                    i / 2 + 1,
                    0,
                    i < errors ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED,
                    i >= errors));
        }

        GateReport gate = tally.summarize().gate();

        assertThat(gate.verdict()).isEqualTo(verdict);
        assertThat(gate.reasons()).isEqualTo(reason == null ? List.of() : List.of(reason));
        assertThat(gate.rerunAgreement()).isBetween(0.5, 1.0);
    }

    @Test
    void shouldHaveNoAgreementWhenFewerThanTenTrialsAreRepeats() {
        GateDemands demands = new GateDemands(0.1, GateDemands.ErrorTreatment.FAIL, 1);
        CampaignTally tally = tally(1, 2, List.of("only"), new GatePolicy(1, 1.0, List.of(), demands, null, null));
        tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)).add(fact(0, 2, 0, OutcomeStatus.COMPLETED, true));

        GateReport gate = tally.summarize().gate();

        assertThat(gate.reasons()).containsExactly(GateReason.UNREPEATABLE);
        assertThat(gate.rerunAgreement()).isNull();
        assertThat(gate.why()).isEqualTo(Repeatability.Why.TOO_FEW_REPEATS);
    }

    @ParameterizedTest
    @CsvSource({
        // passed of 40 trials, unknown; verdict of a rule that asks for 0.7, reason
        "40, 0, PASS, ",
        "36, 0, PASS, ",
        "28, 0, INCONCLUSIVE, UNSURE",
        "36, 4, PASS, ",
        "30, 10, INCONCLUSIVE, MISSING_EVIDENCE",
        "12, 0, FAIL, ",
        "12, 20, INCONCLUSIVE, UNSURE",
    })
    void shouldDecideOnlyWhenSureWhenTheGateHasARule(
            int passed, int unknown, Verdict verdict, @Nullable GateReason reason) {
        RateRule rule = new RateRule(RateRule.Metric.TRIAL_RATE, 0.7, 0.05);
        CampaignTally tally =
                tally(4, 10, List.of("only"), new GatePolicy(1, null, List.of(), GateDemands.NONE, rule, null));
        for (int i = 0; i < 40 - unknown; i++) {
            tally.add(fact(i % 4, i / 4 + 1, 0, OutcomeStatus.COMPLETED, i < passed));
        }

        CampaignSummary summary = tally.summarize();

        assertThat(summary.verdict()).isEqualTo(verdict);
        assertThat(summary.branches().getFirst().verdict()).isEqualTo(verdict);
        assertThat(summary.gate().reasons()).isEqualTo(reason == null ? List.of() : List.of(reason));
        if (verdict == Verdict.INCONCLUSIVE) {
            assertThat(summary.gate().why()).isEqualTo(Repeatability.Why.INCONCLUSIVE);
        } else {
            assertThat(summary.gate().rerunAgreement()).as("of the rule").isBetween(0.3, 1.0);
            assertThat(summary.gate().rerun().rerunLow())
                    .isLessThanOrEqualTo(summary.gate().rerun().rerunHigh());
            assertThat(summary.gate().rerun().rerunFailLow())
                    .isLessThanOrEqualTo(summary.gate().rerun().rerunFailHigh());
        }
    }

    /** Copies of one answer say nothing of another run, however often they are counted. */
    @Test
    void shouldHaveNoAgreementWhenTheTrialsAreAlike() {
        CampaignTally tally = tally(4, 10, List.of("only"), new GatePolicy(1, 1.0, List.of()));
        IntStream.range(0, 40).forEach(i -> tally.add(fact(i % 4, i / 4 + 1, 0, OutcomeStatus.COMPLETED, true)));
        assertThat(tally.summarize().gate().rerunAgreement()).isGreaterThan(0.8);

        GateDemands demands = new GateDemands(0.5, GateDemands.ErrorTreatment.PROVIDER, 1);
        CampaignTally asking = tally(4, 10, List.of("only"), new GatePolicy(1, 1.0, List.of(), demands, null, null));
        IntStream.range(0, 40).forEach(i -> asking.add(fact(i % 4, i / 4 + 1, 0, OutcomeStatus.COMPLETED, true)));
        assertThat(asking.foundAlike(0).summarize().sentence())
                .isEqualTo("Inconclusive: repeated answers are too alike to say whether a re-run would say the same.");

        GateReport gate = tally.foundAlike(0).summarize().gate();

        assertThat(gate.verdict()).isEqualTo(Verdict.PASS);
        assertThat(gate.rerunAgreement()).isNull();
        assertThat(gate.rerun().rerunPass()).isNull();
        assertThat(gate.why()).isEqualTo(Repeatability.Why.TRIALS_ALIKE);
    }

    @ParameterizedTest
    @CsvSource({
        // suite threshold, cases of 40 that the provider did not answer, share of errors that is accepted, rate of the
        // baseline on the shared cases, how many these are; verdict, reason
        ", 0, 1, 0.5, 40, PASS, ",
        ", 0, 1, 1, 40, FAIL, ",
        ", 0, 1, 0.8, 40, INCONCLUSIVE, UNSURE",
        ", 0, 1, 0.5, 0, INCONCLUSIVE, NO_SHARED_CASES",
        "0.9, 0, 1, 0.5, 40, FAIL, ",
        "0.6, 5, 1, 0.2, 40, PASS, ",
        "0.8, 5, 1, 0.2, 40, INCONCLUSIVE, ERRORS",
        "0.8, 5, 1, 1, 40, FAIL, ",
        "0.8, 5, 0.1, 1, 40, INCONCLUSIVE, ERRORS",
        "0.6, 5, 0.1, 0.2, 40, INCONCLUSIVE, ERRORS",
        // of the same cases, the second beside the first: what is unknown could turn it
        ", 5, 1, 0.67, 40, INCONCLUSIVE, ERRORS",
    })
    void shouldNotFallBehindWhenTheGateHasABaseline(
            @Nullable Double suiteThreshold,
            int unanswered,
            double maxErrorRate,
            double earlier,
            int shared,
            Verdict verdict,
            @Nullable GateReason reason) {
        BaselineRule rule = new BaselineRule("earlier", null, 0.02);
        GateDemands demands = new GateDemands(null, GateDemands.ErrorTreatment.PROVIDER, maxErrorRate);
        CampaignTally tally =
                tally(40, 1, List.of("only"), new GatePolicy(1, suiteThreshold, List.of(), demands, null, rule));
        IntStream.range(0, 40)
                .forEach(i ->
                        tally.add(i < unanswered ? unanswered(i) : fact(i, 1, 0, OutcomeStatus.COMPLETED, i < 32)));
        List<CaseCounts> now = IntStream.range(0, shared)
                .mapToObj(i -> i < unanswered ? new CaseCounts(0, 1, 1) : new CaseCounts(i < 32 ? 1 : 0, 0, 1))
                .toList();
        List<CaseCounts> before = passed(shared, earlier * shared);

        CampaignSummary summary = tally.summarize()
                .beside(
                        List.of(BaselineReport.of(
                                "only",
                                rule,
                                "only",
                                new PairedRates(before, now),
                                new Gate.Doubt(0, unanswered, 0),
                                0)),
                        demands);

        assertThat(summary.verdict()).isEqualTo(verdict);
        if (maxErrorRate == 1) {
            assertThat(summary.branches().getFirst().verdict()).isEqualTo(verdict);
        }
        assertThat(summary.gate().reasons()).isEqualTo(reason == null ? List.of() : List.of(reason));
        assertThat(Json.read(Json.write(summary), CampaignSummary.class)).isEqualTo(summary);
    }

    private static List<CaseCounts> passed(int cases, double passing) {
        return IntStream.range(0, cases)
                .mapToObj(i -> new CaseCounts(i < passing ? 1 : 0, 0, 1))
                .toList();
    }

    @Test
    void shouldReadASummaryWhenAnEarlierBuildStoredIt() {
        String stored = """
            {"verdict":"PASS","passThreshold":1.0,"suiteThreshold":1.0,
             "suitePassRate":{"successes":1,"unknown":0,"denominator":1,"value":1.0,"low":0.2,"high":1.0},
             "branches":[{"branchId":"only","gated":true,"verdict":"PASS",
               "suitePassRate":{"successes":1,"unknown":0,"denominator":1,"value":1.0,"low":0.2,"high":1.0},
               "trialPassRate":{"successes":1,"unknown":0,"denominator":1,"value":1.0,"low":0.2,"high":1.0},
               "trials":{"passed":1,"failed":0,"errors":0,"noEvidence":0},
               "wins":{"successes":0,"unknown":0,"denominator":0,"value":null,"low":null,"high":null},
               "spend":{"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0,"total":0},
                        "costUsd":null,"unpriced":0},
               "latency":{"outcomes":1,"p50Ms":10,"p95Ms":10},
               "cases":[{"caseId":"c","passCount":1,"totalTrials":1,"passRate":1.0,"status":"passed","noEvidence":0,
                         "low":0.2,"high":1.0}]}],
             "selections":{"trials":1,"decided":0,"undecided":0,"withoutChoice":1,"missing":0},
             "judge":{"calls":0,"spend":{"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0,"total":0},
                      "costUsd":null,"unpriced":0}},
             "total":{"usage":{"input":0,"output":0,"reasoning":0,"cacheRead":0,"cacheWrite":0,"total":0},
                      "costUsd":null,"unpriced":0}}\
            """;

        CampaignSummary summary = Json.read(stored, CampaignSummary.class);

        assertThat(summary.verdict()).isEqualTo(Verdict.PASS);
        assertThat(summary.gate()).isEqualTo(new GateReport(Verdict.PASS, 1, 1));
        assertThat(summary.branches().getFirst().chosen().ties()).isZero();
        assertThat(summary.branches().getFirst().reducers()).isEmpty();
        assertThat(ExitRule.decide(summary, false).code()).isZero();
    }

    @Test
    void shouldAddTokensAndKnownCostsWhenSomePricesAreUnknown() {
        CampaignTally tally = tally(3, 1, List.of("only"), GatePolicy.DEFAULT);
        tally.add(spent(0, Usage.of(1, 2), "0.10"))
                .add(spent(1, Usage.of(10, 20), null))
                .add(spent(2, Usage.NONE, null))
                .addJudgeCall(Usage.of(100, 200), new BigDecimal("0.05"), new Compaction(null, 0, 0, 0, 0, 0, true))
                .addGraderCall(Usage.of(1000, 2000), new BigDecimal("0.01"))
                .addGraderCall(Usage.of(1000, 2000), null);

        CampaignSummary summary = tally.summarize();

        assertThat(summary.branches().getFirst().spend())
                .isEqualTo(new Spend(Usage.of(11, 22), new BigDecimal("0.10"), 1));
        assertThat(summary.judge())
                .isEqualTo(new CampaignSummary.JudgeCalls(1, new Spend(Usage.of(100, 200), new BigDecimal("0.05"), 0)));
        assertThat(summary.graders())
                .isEqualTo(
                        new CampaignSummary.GraderCalls(2, new Spend(Usage.of(2000, 4000), new BigDecimal("0.01"), 1)));
        assertThat(summary.total()).isEqualTo(new Spend(Usage.of(2111, 4222), new BigDecimal("0.16"), 2));
    }

    @Test
    void shouldCountTheAnswersThatReportedNoUsageBesideTheSums() {
        CampaignTally tally = tally(3, 1, List.of("only"), GatePolicy.DEFAULT);
        tally.add(spent(0, Usage.of(1, 2), "0.10"))
                .add(spent(1, Usage.UNKNOWN, null))
                .add(spent(2, new Usage(7L, null, null, null, null, null), null))
                .addJudgeCall(Usage.UNKNOWN, null, new Compaction(null, 0, 0, 0, 0, 0, true))
                .addGraderCall(Usage.of(100, 200), new BigDecimal("0.01"))
                .addStrategyUse(Usage.UNKNOWN);

        CampaignSummary summary = tally.summarize();

        assertThat(summary.branches().getFirst().spend())
                .isEqualTo(new Spend(new UsageTotal(new Usage(8, 2, 0, 0, 0, 3), 2), new BigDecimal("0.10"), 2));
        assertThat(summary.judge().spend()).isEqualTo(new Spend(new UsageTotal(Usage.UNKNOWN, 2), null, 2));
        assertThat(summary.total())
                .isEqualTo(new Spend(new UsageTotal(new Usage(108, 202, 0, 0, 0, 303), 4), new BigDecimal("0.11"), 4));
        assertThat(Json.read(Json.write(summary), CampaignSummary.class)).isEqualTo(summary);
    }

    @Test
    void shouldHaveNoCostWhenNoPriceIsKnown() {
        CampaignTally tally = tally(1, 1, List.of("only"), GatePolicy.DEFAULT).add(spent(0, Usage.of(1, 1), null));

        assertThat(tally.summarize().total()).isEqualTo(new Spend(Usage.of(1, 1), null, 1));
    }

    @Test
    void shouldRankTimeOutsLastWhenTakingPercentiles() {
        CampaignTally tally = tally(200, 1, List.of("only"), GatePolicy.DEFAULT);
        for (int i = 0; i < 100; i++) {
            tally.add(new OutcomeFact(i, 1, 0, OutcomeStatus.COMPLETED, true, Usage.NONE, null, 100 - i));
        }
        tally.add(new OutcomeFact(150, 1, 0, OutcomeStatus.TIMED_OUT, false, Usage.NONE, null, 300_000));

        assertThat(tally.summarize().branches().getFirst().latency())
                .isEqualTo(new Latency(
                        100,
                        51L,
                        96L,
                        1,
                        new Latency.Spread(false, 41L, 61L),
                        new Latency.Spread(false, 91L, null),
                        null,
                        Latency.Question.CASES_LIKE_THESE));
    }

    /** Of each case one. */
    private static Latency latency(long[] milliseconds, int timedOut) {
        LatencyTally tally = new LatencyTally();
        for (int i = 0; i < milliseconds.length; i++) {
            tally.measure(i, milliseconds[i]);
        }
        IntStream.range(0, timedOut).forEach(i -> tally.timeOut(milliseconds.length + i));
        return tally.summarize(null);
    }

    /** Ten trials of a case that take as long as each other say as much as one. */
    @Test
    void shouldSayLittleOfLatencyWhenTrialsOfACaseAreAlike() {
        LatencyTally alike = new LatencyTally();
        LatencyTally one = new LatencyTally();
        for (int i = 0; i < 400; i++) {
            alike.measure(i % 40, 100 + i % 40);
            one.measure(0, 100 + i % 40);
        }

        Latency.Spread ofCases = requireNonNull(alike.summarize(null).p50());
        Latency.Spread again = requireNonNull(one.summarize(null).p50());

        assertThat(ofCases).isEqualTo(new Latency.Spread(false, 113L, 126L));
        assertThat(again.lowMs()).isBetween(116L, 118L);
        assertThat(again.highMs()).isBetween(121L, 122L);
        assertThat(one.summarize(null).question()).isEqualTo(Latency.Question.RUN_AGAIN);
    }

    @Test
    void shouldUseTheNearestRankWhenFewWereMeasured() {
        assertThat(latency(new long[] {}, 0).p50Ms()).isNull();
        assertThat(latency(new long[] {7}, 0).p95Ms()).isEqualTo(7);
        Latency two = latency(new long[] {9, 7}, 0);
        assertThat(two.p50Ms()).isEqualTo(7);
        assertThat(two.p95Ms()).isEqualTo(9);
        assertThat(two.p95()).isEqualTo(new Latency.Spread(false, 7L, null));
        Latency late = latency(new long[] {9}, 3);
        assertThat(late.p50Ms()).isNull();
        assertThat(late.p50()).isEqualTo(new Latency.Spread(true, null, null));
    }

    @ParameterizedTest
    @CsvSource({
        // passed, failed, skipped and missing cases of 10; suite threshold; verdict
        "9, 1, 0, 0, 0.9, PASS",
        "8, 2, 0, 0, 0.9, FAIL",
        "8, 1, 1, 0, 0.9, INCONCLUSIVE",
        "8, 1, 0, 1, 0.9, INCONCLUSIVE",
        "8, 2, 0, 0, 0.8, PASS",
        "7, 2, 1, 0, 0.9, FAIL",
        "0, 0, 0, 10, 0.9, INCONCLUSIVE",
        "0, 10, 0, 0, 0, PASS",
    })
    void shouldBeInconclusiveWhenTrialsWithoutEvidenceCouldTurnTheVerdict(
            int passed, int failed, int skipped, int missing, double suiteThreshold, Verdict verdict) {
        CampaignTally tally = tally(10, 1, List.of("only"), new GatePolicy(1.0, suiteThreshold, List.of()));
        IntStream.range(0, passed).forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.COMPLETED, true)));
        IntStream.range(passed, passed + failed).forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.COMPLETED, false)));
        IntStream.range(passed + failed, passed + failed + skipped)
                .forEach(i -> tally.add(fact(i, 1, 0, OutcomeStatus.BUDGET_SKIPPED, null)));

        BranchSummary branch = tally.summarize().branches().getFirst();

        assertThat(tally.summarize().verdict()).isEqualTo(verdict);
        assertThat(branch.trials().noEvidence()).isEqualTo(skipped + missing);
        assertThat(branch.suitePassRate().unknown()).isEqualTo(skipped + missing);
    }

    @ParameterizedTest
    @CsvSource({
        "'', FAIL",
        "small, PASS",
        "large, FAIL",
        "open, INCONCLUSIVE",
        "small open, INCONCLUSIVE",
        "large open, FAIL",
    })
    void shouldLookOnlyAtTheNamedBranchesWhenTheGateNamesSome(String named, Verdict verdict) {
        List<String> gated = named.isEmpty() ? List.of() : List.of(named.split(" "));
        CampaignTally tally = tally(1, 1, List.of("small", "large", "open"), new GatePolicy(1, null, gated));
        tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)).add(fact(0, 1, 1, OutcomeStatus.COMPLETED, false));

        CampaignSummary summary = tally.summarize();

        assertThat(summary.verdict()).isEqualTo(verdict);
        assertThat(summary.gatedBranches()).hasSize(gated.isEmpty() ? 3 : gated.size());
    }

    @Test
    void shouldGiveTheSameVerdictWhenMissingEvidenceIsTriedBothWays() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            int cases = 1 + random.nextInt(5);
            int trials = 1 + random.nextInt(4);
            GatePolicy gate = new GatePolicy(random.nextInt(5) / 4.0, random.nextInt(5) / 4.0, List.of());
            CampaignTally as = tally(cases, trials, TWO_BRANCHES, gate);
            CampaignTally allPassed = tally(cases, trials, TWO_BRANCHES, gate);
            CampaignTally allFailed = tally(cases, trials, TWO_BRANCHES, gate);
            for (int cell = 0; cell < cases * trials * 2; cell++) {
                int branch = cell % 2;
                int caseIndex = cell / 2 % cases;
                int trial = cell / 2 / cases + 1;
                Boolean passed = random.nextInt(4) == 0 ? null : Boolean.valueOf(random.nextInt(3) > 0);
                as.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed));
                allPassed.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed == null || passed));
                allFailed.add(fact(caseIndex, trial, branch, OutcomeStatus.COMPLETED, passed != null && passed));
            }
            Verdict best = allPassed.summarize().verdict();
            Verdict worst = allFailed.summarize().verdict();

            assertThat(as.summarize().verdict()).isEqualTo(best == worst ? best : Verdict.INCONCLUSIVE);
        }
    }

    @Test
    void shouldRefuseWhenAFactIsOutsideTheCampaignOrComesTwice() {
        CampaignTally tally = tally(1, 1, List.of("only"), GatePolicy.DEFAULT)
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(new SelectionFact(0, 1, 0, false, false));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally.add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true)))
                .withMessageContaining("two outcomes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally.add(new SelectionFact(0, 1, 0, false, false)))
                .withMessageContaining("two selections");
        assertThatIllegalArgumentException().isThrownBy(() -> tally.add(fact(0, 2, 0, OutcomeStatus.COMPLETED, true)));
        assertThatIllegalArgumentException().isThrownBy(() -> tally.add(fact(0, 1, 1, OutcomeStatus.COMPLETED, true)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tally(1, 1, List.of("a"), new GatePolicy(1, null, List.of("b"))))
                .withMessageContaining("[b]");
    }

    @Test
    void shouldReadBackEqualWhenStoredAsJson() {
        CampaignTally tally = tally(2, 1, TWO_BRANCHES, GatePolicy.DEFAULT)
                .add(fact(0, 1, 0, OutcomeStatus.COMPLETED, true))
                .add(spent(1, Usage.of(1, 2), "0.123456789"));

        CampaignSummary summary = tally.summarize();
        String json = Json.write(summary);

        assertThat(Json.read(json, CampaignSummary.class)).isEqualTo(summary);
        assertThat(json)
                .contains("{\"caseId\":\"case-0\",\"passCount\":1,\"totalTrials\":1,\"passRate\":1.0,"
                        + "\"status\":\"passed\",\"noEvidence\":0,\"low\":0.025")
                .contains("\"costUsd\":0.123456789");
    }

    @Test
    void shouldHoldACampaignOfManyOutcomesWhenFactsAreStreamed() {
        int cases = 50_000;
        CampaignTally tally = tally(cases, 2, TWO_BRANCHES, GatePolicy.DEFAULT);
        for (int trial = 1; trial <= 2; trial++) {
            for (int i = 0; i < cases; i++) {
                tally.add(fact(i, trial, 0, OutcomeStatus.COMPLETED, true))
                        .add(fact(i, trial, 1, OutcomeStatus.COMPLETED, i % 2 == 0));
            }
        }

        assertThat(tally.summarize().branches())
                .extracting(branch -> branch.suitePassRate().successes())
                .containsExactly(50_000, 25_000);
    }

    private static CampaignTally tally(int cases, int trials, List<String> branchIds, GatePolicy gate) {
        return new CampaignTally(new TrialGrid(cases, trials), caseIds(cases), branchIds, gate);
    }

    private static List<String> caseIds(int cases) {
        return IntStream.range(0, cases).mapToObj(i -> "case-" + i).toList();
    }

    private static List<Reducer> reducers() {
        return Stream.of("pass_at_2", "mean", "pass_at_5")
                .map(name -> requireNonNull(Reducer.named(name)))
                .toList();
    }

    private static OutcomeFact fact(
            int caseIndex, int trial, int branchIndex, OutcomeStatus status, @Nullable Boolean passed) {
        return new OutcomeFact(caseIndex, trial, branchIndex, status, passed, Usage.of(1, 1), null, 10);
    }

    private static OutcomeFact unanswered(int caseIndex) {
        return new OutcomeFact(
                caseIndex,
                1,
                0,
                OutcomeStatus.MODEL_ERROR,
                false,
                Usage.NONE,
                null,
                10,
                false,
                null,
                ErrorCode.PROVIDER_UNAVAILABLE);
    }

    private static OutcomeFact spent(int caseIndex, Usage usage, @Nullable String costUsd) {
        return new OutcomeFact(
                caseIndex,
                1,
                0,
                OutcomeStatus.COMPLETED,
                true,
                usage,
                costUsd == null ? null : new BigDecimal(costUsd),
                10);
    }

    @Test
    void shouldCountJudgeCallsThatReadCutTextsAndThoseThatExceededTheLimit() {
        CampaignTally tally =
                new CampaignTally(new TrialGrid(1, 1), List.of("a"), List.of("b"), new TallyRules(GatePolicy.DEFAULT));
        List.of(
                        new Compaction(null, 0, 0, 0, 900, 900, true),
                        new Compaction(80L, 0, 0, 0, 70, 70, true),
                        new Compaction(80L, 1, 2, 0, 90, 70, true),
                        new Compaction(80L, 2, 3, 3, 900, 170, false))
                .forEach(compaction -> tally.addJudgeCall(Usage.NONE, null, compaction));

        CampaignSummary.JudgeCalls judge = tally.summarize().judge();

        assertThat(judge.calls()).isEqualTo(4);
        assertThat(judge.shortened()).isEqualTo(2);
        assertThat(judge.overLimit()).isEqualTo(1);
    }
}
