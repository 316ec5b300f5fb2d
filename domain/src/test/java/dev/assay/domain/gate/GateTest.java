package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evidence.BranchEvidence;
import dev.assay.domain.evidence.CaseEvidence;
import dev.assay.domain.evidence.CaseEvidence.Redraws;
import dev.assay.domain.evidence.Draws;
import dev.assay.domain.evidence.Redraw;
import dev.assay.domain.gate.Gate.Doubt;
import dev.assay.domain.gate.GateDemands.ErrorTreatment;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.TrialGrid;
import dev.assay.domain.reducer.Reducer;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.CampaignTally;
import dev.assay.domain.report.ExitRule;
import dev.assay.domain.report.ReducerRate;
import dev.assay.domain.report.TallyRules;
import dev.assay.domain.report.fact.OutcomeFact;
import dev.assay.domain.stop.StopRule;
import dev.assay.domain.stop.Stopping;
import dev.assay.domain.usage.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateTest {

    private static final GatePolicy EVERY_CASE = new GatePolicy(1, null, List.of());
    private static final Doubt MISSING = new Doubt(3, 0, 0);

    private static GatePolicy rule(double threshold) {
        return new GatePolicy(
                1,
                null,
                List.of(),
                GateDemands.NONE,
                new RateRule(RateRule.Metric.TRIAL_RATE, threshold, RateRule.DEFAULT_ALPHA),
                null);
    }

    private static GateDecision decide(GatePolicy policy, Doubt doubt, CaseEvidence... cases) {
        List<CaseEvidence> all = List.of(cases);
        return new Gate(policy, 1).decide(new BranchEvidence(all, ErrorTreatment.PROVIDER, null).bounds(), doubt);
    }

    private static CaseEvidence passed(int passed, Redraws redraws) {
        return new CaseEvidence(5, passed, 5 - passed, 0, 0, 0, 0, redraws);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, MISSING_EVIDENCE",
        "1, 0, 0, MISSING_EVIDENCE",
        "0, 1, 0, ERRORS",
        "0, 0, 1, REDRAWN",
        "0, 1, 1, ERRORS REDRAWN",
        "1, 1, 1, MISSING_EVIDENCE ERRORS REDRAWN"
    })
    void shouldNameWhatCouldTurnTheVerdict(int missing, int errors, int redrawn, String reasons) {
        CaseEvidence open = new CaseEvidence(5, 4, 0, 0, 1, 0, 0, Redraws.NONE);

        GateDecision decision = decide(EVERY_CASE, new Doubt(missing, errors, redrawn), open);

        assertThat(decision.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(decision.reasons()).extracting(Enum::name).containsExactly(reasons.split(" "));
    }

    /** What failed and then passed is no PASS, and no FAIL either where only that fails. */
    @Test
    void shouldBeInconclusiveWhenTheVerdictDependsOnWhichDrawCounts() {
        CaseEvidence good = passed(5, Redraws.NONE);

        assertThat(decide(EVERY_CASE, MISSING, good, passed(4, Redraws.NONE)).verdict())
                .as("drawn once")
                .isEqualTo(Verdict.FAIL);
        assertThat(decide(EVERY_CASE, new Doubt(0, 0, 1), good, passed(4, new Redraws(1, 0, 1))))
                .isEqualTo(new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.REDRAWN)));
        assertThat(decide(EVERY_CASE, new Doubt(0, 0, 1), good, passed(5, new Redraws(1, 1, 0))))
                .isEqualTo(new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.REDRAWN)));
        assertThat(decide(EVERY_CASE, new Doubt(0, 0, 1), good, passed(3, new Redraws(1, 0, 1)))
                        .verdict())
                .as("another trial failed in every draw")
                .isEqualTo(Verdict.FAIL);
    }

    /** 160 of 160 reach 90 % for sure; without 64 that failed later nothing is sure. */
    @Test
    void shouldBeInconclusiveWhenARuleDependsOnWhichDrawCounts() {
        CaseEvidence[] cases = Collections.nCopies(32, passed(5, Redraws.NONE)).toArray(CaseEvidence[]::new);
        CaseEvidence[] redrawn =
                Collections.nCopies(32, passed(5, new Redraws(2, 2, 0))).toArray(CaseEvidence[]::new);

        assertThat(decide(rule(0.9), MISSING, cases).verdict()).isEqualTo(Verdict.PASS);
        assertThat(decide(rule(0.9), new Doubt(0, 0, 64), redrawn))
                .isEqualTo(new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.REDRAWN)));
    }

    @Test
    void shouldBeUnsureWhenTheTrialsAreTooFewWhateverIsUnknown() {
        CaseEvidence few = new CaseEvidence(5, 4, 0, 0, 1, 0, 0, Redraws.NONE);

        assertThat(decide(rule(0.8), new Doubt(0, 1, 0), few))
                .isEqualTo(new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.UNSURE)));
    }

    private static GatePolicy gate(ErrorTreatment errors, double maxErrorRate) {
        return new GatePolicy(1, null, List.of(), new GateDemands(null, errors, maxErrorRate), null, null);
    }

    /** Two cases of two trials, of which the first three passed; the last ended with {@code error}. */
    private static CampaignSummary summary(GatePolicy gate, Draws draws, @Nullable ErrorCode error) {
        CampaignTally tally = new CampaignTally(
                new TrialGrid(2, 2),
                List.of("a", "b"),
                List.of("model"),
                new TallyRules(gate, List.of(), false, null, Stopping.NEVER, null, draws));
        for (int i = 0; i < 4; i++) {
            boolean fails = i == 3 && error != null;
            tally.add(new OutcomeFact(
                    i % 2,
                    i / 2 + 1,
                    0,
                    fails ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED,
                    !fails,
                    Usage.NONE,
                    null,
                    10,
                    true,
                    null,
                    fails ? error : null));
        }
        return tally.summarize();
    }

    @ParameterizedTest
    @CsvSource({
        "PROVIDER, PROVIDER_RATE_LIMITED, INCONCLUSIVE, ERRORS",
        "PROVIDER, PROVIDER_UNAVAILABLE,  INCONCLUSIVE, ERRORS",
        "PROVIDER, PROVIDER_CONNECTION,   INCONCLUSIVE, ERRORS",
        "PROVIDER, PROVIDER_TIMEOUT,      INCONCLUSIVE, ERRORS",
        "PROVIDER, PROVIDER_REJECTED,     FAIL,         ''",
        "PROVIDER, PROVIDER_AUTH,         FAIL,         ''",
        "PROVIDER, CONTEXT_TOO_LONG,      FAIL,         ''",
        "PROVIDER, ,                      PASS,         ''",
        "FAIL,     PROVIDER_TIMEOUT,      FAIL,         ''",
        "UNKNOWN,  PROVIDER_REJECTED,     INCONCLUSIVE, ERRORS",
    })
    void shouldFailOnlyByErrorsThatSaySomethingOfTheModel(
            ErrorTreatment errors, @Nullable ErrorCode code, Verdict verdict, String reason) {
        CampaignSummary summary = summary(gate(errors, 1), Draws.ONCE, code);

        assertThat(summary.verdict()).isEqualTo(verdict);
        assertThat(String.join(" ", names(summary))).isEqualTo(reason);
        assertThat(ExitRule.decide(summary, false).code())
                .isEqualTo(
                        switch (verdict) {
                            case PASS -> 0;
                            case FAIL -> 100;
                            case INCONCLUSIVE -> 101;
                        });
    }

    private static List<String> names(CampaignSummary summary) {
        return summary.gate().reasons().stream().map(Enum::name).toList();
    }

    @Test
    void shouldSayWhatIsKnownAndAskedBesideTheBounds() {
        Proportion rate = summary(gate(ErrorTreatment.PROVIDER, 1), Draws.ONCE, ErrorCode.PROVIDER_TIMEOUT)
                .branches()
                .getFirst()
                .trialPassRate();

        assertThat(rate.known()).isEqualTo(1);
        assertThat(rate.value()).as("what is certain").isEqualTo(0.75);
        assertThat(rate.asked()).isEqualTo(4);
        assertThat(rate.unknown()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"0.25, FAIL", "0.24, INCONCLUSIVE"})
    void shouldDivideErrorsByTheTrialsThatWereAsked(double maxErrorRate, Verdict verdict) {
        CampaignSummary summary =
                summary(gate(ErrorTreatment.FAIL, maxErrorRate), Draws.ONCE, ErrorCode.PROVIDER_TIMEOUT);

        assertThat(summary.verdict()).isEqualTo(verdict);
        assertThat(summary.gate().errorRate()).isEqualTo(0.25);
    }

    /** Trial 2 of case b failed first and passes now; a whole re-run came before. */
    @Test
    void shouldCountRedrawnTrialsAndWholeReruns() {
        Draws draws = new Draws(List.of(new Redraw(0, 3, false, 0.0)), 2);

        CampaignSummary summary = summary(gate(ErrorTreatment.PROVIDER, 1), draws, null);

        assertThat(summary.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(names(summary)).containsExactly("REDRAWN");
        assertThat(summary.reruns()).isEqualTo(new CampaignSummary.Reruns(1, 2));
        assertThat(summary.branches().getFirst().trials().redrawn()).isEqualTo(1);
        assertThat(summary.branches().getFirst().trialPassRate().value())
                .as("the first draw")
                .isEqualTo(0.75);
        assertThat(summary.branches().getFirst().trialPassRate().high())
                .as("the better of both")
                .isEqualTo(1);
        assertThat(ExitRule.decide(summary, false).sentence())
                .startsWith("Inconclusive: 1 trial was asked again after a result");
    }

    /** Twenty trials failed first and passed then: the first draws surely miss 90 %, and what never failed is too little. */
    @Test
    void shouldNameRedrawnTrialsWhenTheFirstDrawsAloneAreSure() {
        CaseEvidence[] redrawn = {
            passed(5, Redraws.NONE),
            passed(5, Redraws.NONE),
            passed(5, Redraws.NONE),
            passed(5, Redraws.NONE),
            passed(0, new Redraws(5, 0, 5)),
            passed(0, new Redraws(5, 0, 5)),
            passed(0, new Redraws(5, 0, 5)),
            passed(0, new Redraws(5, 0, 5))
        };

        assertThat(decide(rule(0.9), new Doubt(0, 0, 20), redrawn))
                .isEqualTo(new GateDecision(Verdict.INCONCLUSIVE, List.of(GateReason.REDRAWN)));
    }

    /** A re-run can close a cell that it opened: its first draw counts in the looks as it does in the rate. */
    @ParameterizedTest
    @CsvSource({"COMPLETED", "NOT_NEEDED"})
    void shouldLookAtTheFirstDrawsWhenASureCampaignWasAskedAgain(OutcomeStatus now) {
        GatePolicy gate = rule(0.9);
        CampaignTally tally = new CampaignTally(
                new TrialGrid(20, 1),
                IntStream.range(0, 20).mapToObj(i -> "case-" + i).toList(),
                List.of("model"),
                new TallyRules(
                        gate,
                        List.of(),
                        false,
                        null,
                        new Stopping(StopRule.SURE, List.of()),
                        null,
                        new Draws(List.of(new Redraw(0, 0, false, 0.0)), 0)));
        for (int i = 0; i < 20; i++) {
            OutcomeStatus status = i == 0 ? now : OutcomeStatus.COMPLETED;
            Boolean passed = status == OutcomeStatus.NOT_NEEDED ? null : (Boolean) false;
            tally.add(new OutcomeFact(i, 1, 0, status, passed, Usage.NONE, null, 10));
        }

        assertThat(tally.summarize().verdict()).isEqualTo(Verdict.FAIL);
    }

    /** Of three rounds of 20 cases the provider answered one: all other trials together could turn every look. */
    @ParameterizedTest
    @CsvSource({"20, ERRORS", "0, UNSURE"})
    void shouldNameErrorsWhereTheyKeepTheLooksOfASureCampaignFromDeciding(int unanswered, GateReason reason) {
        GatePolicy gate = rule(0.6);
        CampaignTally tally = new CampaignTally(
                new TrialGrid(20, 3),
                IntStream.range(0, 20).mapToObj(i -> "case-" + i).toList(),
                List.of("model"),
                new TallyRules(gate, List.of(), false, null, new Stopping(StopRule.SURE, List.of()), null, Draws.ONCE));
        for (int i = 0; i < 60; i++) {
            boolean isLost = i < unanswered * 2;
            tally.add(new OutcomeFact(
                    i % 20,
                    i / 20 + 1,
                    0,
                    isLost ? OutcomeStatus.MODEL_ERROR : OutcomeStatus.COMPLETED,
                    !isLost && i % 5 < 3,
                    Usage.NONE,
                    null,
                    10,
                    true,
                    null,
                    isLost ? ErrorCode.PROVIDER_TIMEOUT : null));
        }

        CampaignSummary summary = tally.summarize();

        assertThat(summary.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(summary.gate().reasons()).containsExactly(reason);
    }

    /** One trial of 40 failed first and passed then. */
    @Test
    void shouldWidenReducersWhereDrawsDisagree() {
        List<Reducer> reducers = List.of(Objects.requireNonNull(Reducer.named("mean")));
        List<ReducerRate> rates = new ArrayList<>();
        for (Draws draws : List.of(new Draws(List.of(new Redraw(0, 0, false, 0.0)), 0), Draws.ONCE)) {
            CampaignTally tally = new CampaignTally(
                    new TrialGrid(10, 4),
                    IntStream.range(0, 10).mapToObj(i -> "case-" + i).toList(),
                    List.of("model"),
                    new TallyRules(GatePolicy.DEFAULT, reducers, false, null, Stopping.NEVER, null, draws));
            for (int i = 0; i < 40; i++) {
                boolean isRedrawn = i == 0 && !draws.redraws().isEmpty();
                tally.add(new OutcomeFact(
                        i % 10,
                        i / 10 + 1,
                        0,
                        OutcomeStatus.COMPLETED,
                        isRedrawn || (i != 0 && i % 3 > 0),
                        Usage.NONE,
                        null,
                        10));
            }
            rates.add(Objects.requireNonNull(
                    tally.summarize().branches().getFirst().reducers().get("mean")));
        }

        assertThat(rates.getFirst().value())
                .as("the first draws")
                .isEqualTo(rates.getLast().value());
        assertThat(rates.getFirst().low()).isEqualTo(rates.getLast().low());
        assertThat(rates.getFirst().high())
                .as("the better of both")
                .isGreaterThan(rates.getLast().high());
    }
}
