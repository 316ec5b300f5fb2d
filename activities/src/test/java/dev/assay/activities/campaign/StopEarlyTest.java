package dev.assay.activities.campaign;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.assay.campaigns.result.Summaries;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.plan.OrderRule;
import dev.assay.domain.plan.TrialOrder;
import dev.assay.domain.report.BranchSummary;
import dev.assay.domain.report.CampaignSummary;
import dev.assay.domain.report.EarlyStop;
import dev.assay.domain.steering.LimitChange;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.steering.SteeringVerb;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.CampaignCounters;
import dev.assay.store.result.ProgressRepository;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Campaigns that stop early, on PostgreSQL and two workers. */
@Tag("slow")
final class StopEarlyTest {

    private static Engine engine;

    @BeforeAll
    static void start() {
        engine = new Engine();
        engine.join(Map.of());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static String cases(int count) {
        return "cases:\n"
                + IntStream.range(0, count)
                        .mapToObj(i -> "  - {id: c%d, prompt: Q%d, checks: [{type: icontains, value: paris}]}%n"
                                .formatted(i, i))
                        .collect(Collectors.joining());
    }

    private static StoredCampaign ended(String id) {
        StoredCampaign ended = engine.awaitEnd(id);
        assertThat(ended.failureReason()).isNull();
        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertCountersSayWhatWasAsked(ended);
        return ended;
    }

    /** Everything is done: what was asked, once each, and what was not needed. */
    private static void assertCountersSayWhatWasAsked(StoredCampaign ended) {
        long asked = asked(ended.id());
        CampaignCounters counters =
                engine.store.get(ProgressRepository.class).find(ended.id()).orElseThrow();
        assertThat(engine.store.count(
                        "SELECT count(*) FROM ledger WHERE campaign_id = ? AND kind = 'branch' AND state = 'ANSWERED'",
                        ended.id()))
                .isEqualTo(asked);
        assertThat(counters.cellsDone()).isEqualTo(counters.cellsTotal());
        assertThat(counters.cellsNotNeeded()).isEqualTo(counters.cellsTotal() - asked);
        assertThat(counters.trialsDone()).isEqualTo(counters.trialsTotal());
        assertThat(summary(ended.id()).saved())
                .extracting(EarlyStop.Saved::calls)
                .isEqualTo((int) counters.cellsNotNeeded());
    }

    private static long asked(String id) {
        return engine.store.count("SELECT count(*) FROM results WHERE campaign_id = ? AND status = 'COMPLETED'", id);
    }

    private static List<Integer> integers(String sql, String id) {
        return engine.store.query(sql, id).stream()
                .map(row -> ((Number) requireNonNull(row.values().iterator().next())).intValue())
                .toList();
    }

    private static CampaignSummary summary(String id) {
        return engine.store.get(Summaries.class).summarize(engine.get(id));
    }

    @Test
    void shouldAskNoMoreOfACampaignWhoseVerdictIsSettled() {
        engine.submit("fails", """
            name: fails
            %sbranches: [{id: b, kind: scripted, script: {answers: [Rome], delayMs: 200}}]
            trials: 10
            limits: {maxConcurrent: 4}
            stop: settled
            """.formatted(cases(20)), Map.of());

        assertThat(ended("fails").verdict()).isEqualTo(Verdict.FAIL);
        assertThat(asked("fails")).isBetween(1L, 12L);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM cell WHERE campaign_id = 'fails' AND claim_worker IS NOT NULL"))
                .isZero();
    }

    @Test
    void shouldStopABranchThatNobodyWaitsForAndSelectNothingWithoutIt() {
        engine.submit("lone", """
            name: lone
            %sbranches:
              - {id: good, kind: scripted, script: {answers: [Paris], delayMs: 120}}
              - {id: bad, kind: scripted, script: {answers: [Rome], delayMs: 120}}
            trials: 5
            strategy: {type: llm-judge, judge: {kind: scripted, script: {answers: ["1"]}}}
            gate: {branches: [good]}
            limits: {maxConcurrent: 4}
            stop: settled
            """.formatted(cases(6)), Map.of());

        assertThat(ended("lone").verdict()).isEqualTo(Verdict.PASS);
        CampaignSummary summary = summary("lone");
        BranchSummary good = summary.branches().getFirst();
        long both = engine.store.count(
                "SELECT count(*) FROM results WHERE campaign_id = 'lone' AND branch_id = 'bad' AND status ="
                        + " 'COMPLETED'");
        assertThat(good.trials().passed()).isEqualTo(30);
        assertThat(both).isBetween(1L, 15L);
        assertThat(good.wins().denominator()).isEqualTo((int) both);
        assertThat(engine.store.count("SELECT count(*) FROM judge_call WHERE campaign_id = 'lone'"))
                .isEqualTo(both);
        assertThat(engine.store.count("SELECT sum(wins) FROM progress WHERE campaign_id = 'lone'"))
                .isEqualTo(both);
        assertThat(engine.store.count("SELECT count(*) FROM trial WHERE campaign_id = 'lone' AND not_needed AND"
                        + " selected_index IS NULL"))
                .isEqualTo(30 - both);
    }

    @Test
    void shouldAskWhatIsNeededAgainWhenTrialsAreAdded() {
        engine.submit("longer", """
            name: longer
            %sbranches:
              - {id: b, kind: scripted, script: {answers: [Paris, Paris, Paris, Rome], delayMs: 300}}
            trials: 5
            gate: {passThreshold: 0.6, suiteThreshold: 1}
            limits: {maxConcurrent: 1}
            stop: settled
            """.formatted(cases(2)), Map.of());
        assertThat(ended("longer").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("longer")).as("three passes of five are enough").isBetween(6L, 8L);

        engine.store.get(CampaignChanges.class).change("longer", new LimitChange(null, null, 10, null));
        engine.startOrWake("longer");

        // Of each case the fourth trial and every fourth after it fails.
        assertThat(ended("longer").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("longer")).as("six passes of ten are enough").isBetween(14L, 18L);
        long askedSoFar = asked("longer");
        engine.store.get(CampaignChanges.class).steer("longer", SteeringVerb.RESUME);
        assertThat(engine.get("longer").state()).as("nothing is open").isEqualTo(CampaignState.COMPLETED);
        assertThat(asked("longer")).isEqualTo(askedSoFar);
        assertThat(engine.get("longer").stopping().extensions()).containsExactly(5);
    }

    @Test
    void shouldGoOnWhereItWasWhenItIsPausedAndResumedAndExtendedWhileItRuns() {
        engine.submit("paused", """
            name: paused
            %sbranches: [{id: b, kind: scripted, script: {answers: [Paris], delayMs: 60}}]
            trials: 6
            gate: {passThreshold: 0.5, suiteThreshold: 1}
            limits: {maxConcurrent: 3}
            stop: settled
            """.formatted(cases(8)), Map.of());
        await().atMost(Engine.PATIENCE).until(() -> asked("paused") >= 10);
        CampaignChanges steering = engine.store.get(CampaignChanges.class);
        steering.steer("paused", SteeringVerb.PAUSE);
        engine.wake("paused");
        await().atMost(Engine.PATIENCE)
                .until(() -> engine.store.count(
                                "SELECT count(*) FROM ledger WHERE campaign_id = 'paused' AND state = 'SENT'")
                        == 0);
        steering.steer("paused", SteeringVerb.RESUME);
        engine.startOrWake("paused");
        await().atMost(Engine.PATIENCE).until(() -> asked("paused") >= 20);
        steering.change("paused", new LimitChange(null, null, 10, null));
        engine.wake("paused");

        assertThat(ended("paused").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("paused"))
                .as("five passes of ten, of each of eight cases")
                .isBetween(40L, 50L);
    }

    @Test
    void shouldSayTheSameAndAskAgainOnlyWhatIsNeededWhenFailuresAreRunAgain() {
        engine.submit("again", """
            name: again
            %sbranches: [{id: b, kind: scripted, script: {answers: [Rome], delayMs: 40}}]
            trials: 4
            limits: {maxConcurrent: 2}
            stop: settled
            """.formatted(cases(5)), Map.of());
        ended("again");
        long before = asked("again");

        engine.store.get(CampaignChanges.class).rerun("again", new Rerun(Rerun.Only.ALL, List.of(), List.of()));
        engine.startOrWake("again");

        StoredCampaign ended = engine.awaitEnd("again");
        assertThat(ended.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(asked("again")).isBetween(1L, before + 4);
        CampaignCounters counters =
                engine.store.get(ProgressRepository.class).find("again").orElseThrow();
        assertThat(counters.cellsDone()).isEqualTo(20);
        assertThat(counters.cellsNotNeeded()).isEqualTo(20 - asked("again"));
    }

    @Test
    void shouldStopAtTheFirstSureLookAndPrintItsBoundWhichAnExtensionRaises() {
        engine.submit("sure", """
            name: sure
            %sbranches: [{id: b, kind: scripted, script: {answers: [Paris], delayMs: 30}}]
            trials: 10
            gate: {rule: {threshold: 0.5}}
            limits: {maxConcurrent: 4}
            stop: sure
            """.formatted(cases(10)), Map.of());

        assertThat(ended("sure").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("sure")).as("ten passes of ten are sure").isBetween(10L, 60L);
        assertThat(summary("sure").branches().getFirst().early().bound()).isEqualTo(0.05);
        long before = asked("sure");

        engine.store.get(CampaignChanges.class).change("sure", new LimitChange(null, null, 12, null));
        engine.startOrWake("sure");

        assertThat(ended("sure").verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked("sure")).isEqualTo(before);
        assertThat(summary("sure").branches().getFirst().early().bound()).isCloseTo(0.075, within(1e-12));
    }

    /** Three slices that ran side by side began at rounds 1, 7 and 14: each asked as much as was needed of the first. */
    @ParameterizedTest
    @EnumSource(OrderRule.class)
    void shouldAskNoMoreThanTwoRoundsAndWhatIsInFlightWhenTheVerdictIsCertain(OrderRule order) {
        String id = "rounds-" + order.word();
        engine.submit(id, """
            name: rounds
            %sbranches: [{id: b, kind: scripted, script: {answers: [Paris], delayMs: 150}}]
            trials: 20
            gate: {rule: {threshold: 0.7}}
            limits: {maxConcurrent: 4}
            stop: sure
            order: %s
            """.formatted(cases(28), order.word()), Map.of());

        assertThat(ended(id).verdict()).isEqualTo(Verdict.PASS);
        assertThat(asked(id)).as("one round is sure").isBetween(28L, 2 * 28L + 4);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outcome WHERE campaign_id = ? AND trial = 1 AND status = 'COMPLETED'",
                        id))
                .isEqualTo(28);
    }

    @Test
    void shouldKeepItsOrderWhenItIsPausedResumedAndExtended() {
        String id = "kept";
        engine.submit(id, """
            name: kept
            %sbranches: [{id: b, kind: scripted, script: {answers: [Paris], delayMs: 40}}]
            trials: 3
            limits: {maxConcurrent: 2}
            order: drawn
            """.formatted(cases(40)), Map.of());
        TrialOrder order = engine.get(id).order();
        CampaignChanges steering = engine.store.get(CampaignChanges.class);
        await().atMost(Engine.PATIENCE).until(() -> asked(id) >= 25);
        steering.steer(id, SteeringVerb.PAUSE);
        engine.wake(id);
        await().atMost(Engine.PATIENCE)
                .until(() ->
                        engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = ? AND state = 'SENT'", id)
                                == 0);
        steering.steer(id, SteeringVerb.RESUME);
        engine.startOrWake(id);
        assertThat(engine.awaitEnd(id).verdict()).isEqualTo(Verdict.PASS);
        steering.change(id, new LimitChange(null, null, 5, null));
        engine.startOrWake(id);

        assertThat(engine.awaitEnd(id).verdict()).isEqualTo(Verdict.PASS);
        assertThat(engine.get(id).order()).isEqualTo(order);
        List<Integer> ordinals = integers(
                "SELECT ordinal FROM ledger WHERE campaign_id = ? AND state = 'ANSWERED' ORDER BY sent_at, request_id",
                id);
        assertThat(ordinals)
                .hasSize(200)
                .isNotEqualTo(ordinals.stream().sorted().toList());
        double apart = IntStream.range(0, 200)
                .map(i -> Math.abs(order.position(ordinals.get(i)) - i))
                .average()
                .orElseThrow();
        assertThat(apart)
                .as("from its position; 13 where a round has any order")
                .isLessThan(10);
        assertThat(integers("SELECT case_index FROM outcome WHERE campaign_id = ? ORDER BY ordinal LIMIT 40", id))
                .as("trial numbers keep the order of the file")
                .isEqualTo(IntStream.range(0, 40).boxed().toList());
    }

    /** An earlier build asks what was not needed, and does not know the mark. */
    @Test
    void shouldBelieveTheAnswerThatAnEarlierBuildRecordsOverTheMark() {
        engine.submit("mixed", """
            name: mixed
            %sbranches: [{id: b, kind: scripted, script: {answers: [Rome], delayMs: 30}}]
            trials: 3
            limits: {maxConcurrent: 1}
            stop: settled
            """.formatted(cases(4)), Map.of());
        ended("mixed");
        long asked = asked("mixed");

        engine.store.count("""
            WITH answered AS (
                UPDATE outcome SET status = 'COMPLETED', passed = true, response = 'Paris', error_code = NULL
                WHERE campaign_id = 'mixed' AND ordinal = 11 RETURNING 1)
            SELECT count(*) FROM answered\
            """);

        assertThat(asked("mixed")).isEqualTo(asked + 1);
        assertThat(summary("mixed").branches().getFirst().trials().passed()).isEqualTo(1);
    }
}
