package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.selection.ExamplePlugin;
import dev.assay.activities.selection.TestStrategy;
import dev.assay.activities.selection.TrialActivitiesImpl;
import dev.assay.campaigns.result.Summaries;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.evaluation.AskAnswer;
import dev.assay.domain.evaluation.AskFailedException;
import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.event.AgentEvent;
import dev.assay.domain.gate.Verdict;
import dev.assay.domain.message.Message;
import dev.assay.domain.plan.OrdinalRange;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.result.ProgressRepository;
import dev.assay.workflows.slice.TrialActivities.SelectionBatch;
import io.temporal.client.WorkflowFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class CampaignRunTest {

    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path plugins) throws IOException {
        ExamplePlugin.build(plugins, "example");
        ExamplePlugin.name(plugins, TestStrategy.class);
        engine = new Engine(ToolPolicy.NONE, Map.of("assay.plugins.directory", plugins.toString()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static final String CASES = """
        cases:
          - {id: france, prompt: Capital of France?, checks: [{type: icontains, value: paris}]}
          - {id: italy, prompt: Capital of Italy?, checks: [{type: icontains, value: paris}]}
          - {id: peru, prompt: Capital of Peru?}
        """;

    @Test
    void shouldRunEveryCellOnceAndGateWhenBranchesAreScripted() {
        engine.submit("scripted", """
            name: scripted
            %s
            branches:
              - {id: short, kind: scripted, script: {answers: [Paris, Paris it is]}}
              - {id: long, kind: scripted, script: {answers: ["The capital is Paris, as everybody knows."]}}
            trials: 4
            strategy: {type: token-efficient}
            gate: {passThreshold: 1.0, suiteThreshold: 1.0}
            """.formatted(CASES), Map.of());

        StoredCampaign ended = engine.awaitEnd("scripted");

        assertThat(ended.failureReason()).isNull();
        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(ended.verdict()).isEqualTo(Verdict.PASS);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'scripted'"))
                .isEqualTo(24);
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'scripted'"))
                .isEqualTo(24);
        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, decided, complete FROM trial WHERE campaign_id = 'scripted'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly(0, true, true));
    }

    /** Restored from an older backup, or another database: it was retried for ever. */
    @Test
    void shouldEndTheWorkflowAndSayWhyWhenPostgresDoesNotKnowTheCampaign() {
        assertThatThrownBy(() -> engine.runUnknown("forgotten"))
                .isInstanceOf(WorkflowFailedException.class)
                .hasStackTraceContaining("There is no campaign forgotten in this database");
    }

    @Test
    void shouldAskJudgeOncePerTrialAndCountItsChoice() {
        engine.submit("judged", """
            name: judged
            %s
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            trials: 2
            strategy: {type: llm-judge, judge: {kind: scripted, script: {answers: ["2", "no idea"]}}}
            """.formatted(CASES), Map.of());

        StoredCampaign ended = engine.awaitEnd("judged");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.query("""
            SELECT trial, selected_index, fallback, decided, count(*) AS n FROM trial
            WHERE campaign_id = 'judged' GROUP BY 1, 2, 3, 4 ORDER BY 1\
            """))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, 1, false, true, 3]", "[2, 0, true, false, 3]");
        assertThat(engine.store.count("SELECT count(*) FROM judge_call WHERE campaign_id = 'judged'"))
                .isEqualTo(6);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM ledger WHERE campaign_id = 'judged' AND kind = 'judge' AND state"
                                + " = 'ANSWERED'"))
                .isEqualTo(6);
        assertThat(engine.store.count("SELECT sum(wins) FROM progress WHERE campaign_id = 'judged'"))
                .isEqualTo(3);
    }

    @Test
    @Timeout(60)
    void shouldLeaveNoJudgeOutWhenAWorkflowOfBeforeTakesNoTrialOn() {
        // This worker has no key for mistral, and so does not poll its queue.
        engine.submit("apart", """
            name: apart
            %s
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy: {type: llm-judge, panel: [{kind: scripted, script: {answers: ["1"]}}, {provider: mistral, model: m}]}
            """.formatted(CASES), Map.of("mistral", provider("mistral")));
        awaitRows("SELECT count(*) FROM outcome WHERE campaign_id = 'apart'", 6);

        SelectionBatch batch =
                new SelectionBatch("apart", engine.get("apart").epoch(), List.of(new OrdinalRange(0, 3)), false);
        TrialActivitiesImpl activities = engine.store.get(TrialActivitiesImpl.class);
        assertThatThrownBy(() -> activities.selectTrials(batch))
                .hasStackTraceContaining(
                        "cannot ask provider mistral, which a judge or a strategy needs; give it the settings and the"
                                + " key");

        assertThat(engine.store.count("SELECT count(*) FROM trial WHERE campaign_id = 'apart'"))
                .as("no judge was left out of a selection")
                .isZero();
        assertThat(engine.store.count("SELECT count(*) FROM judge_call WHERE campaign_id = 'apart'"))
                .isZero();
    }

    private static ProviderInfo provider(String name) {
        return new ProviderInfo(name, true, null, 10, 4_096, Map.of());
    }

    @Test
    void shouldAskEachJudgeOnceInEachOrderWhenAPanelFailsInPart() {
        engine.submit("panel", """
            name: panel
            %s
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy:
              type: llm-judge
              panel:
                - {kind: scripted, script: {answers: ['{"reason": "r", "scores": [1, 2], "choice": 2}']}}
                - {kind: scripted, script: {answers: [I say 2], failures: [{status: 503}]}}
                - {kind: scripted, script: {answers: ["1"], failures: [{status: 400}]}}
              reply: structured
              ties: first
            """.formatted(CASES), Map.of());

        StoredCampaign ended = engine.awaitEnd("panel");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, decided, complete, reason FROM trial WHERE campaign_id ="
                                + " 'panel'"))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.values()).startsWith(1, true, true);
                    assertThat(row.get("reason").toString())
                            .startsWith("branches[1] has 2 of 2 votes. Left out: judge 3 (PROVIDER_REJECTED: ");
                });
        // Judges 1, 2 and 3 are asked as members 0, 1 and 2; the repair of judge 2 is member 4.
        assertThat(engine.store.query("""
            SELECT member, status, attempts, count(*) AS trials FROM judge_call
            WHERE campaign_id = 'panel' GROUP BY 1, 2, 3 ORDER BY 1\
            """))
                .extracting(row -> row.values().toString())
                .containsExactly(
                        "[0, COMPLETED, 1, 3]",
                        "[1, COMPLETED, 2, 3]",
                        "[2, MODEL_ERROR, 1, 3]",
                        "[4, COMPLETED, 2, 3]");
        assertThat(engine.store.query("""
            SELECT DISTINCT v ->> 'result' AS result, v -> 'readings' -> 0 ->> 'path' AS path, v ->> 'judge' AS judge
            FROM trial, jsonb_array_elements(votes) v WHERE campaign_id = 'panel' ORDER BY judge\
            """))
                .extracting(row -> row.values().toString())
                .containsExactly("[VOTED, STRUCTURED, 0]", "[VOTED, PLAIN, 1]", "[LEFT_OUT, FAILED, 2]");
        assertThat(engine.store.count(
                        "SELECT count(*) FROM ledger WHERE campaign_id = 'panel' AND kind = 'judge' AND state ="
                                + " 'ANSWERED'"))
                .isEqualTo(9);
        assertThat(engine.store.count("SELECT sum(wins) FROM progress WHERE campaign_id = 'panel'"))
                .isEqualTo(3);
        assertThat(engine.store.count(
                        "SELECT count(DISTINCT loop_id) - count(*) FROM judge_call WHERE campaign_id = 'panel'"))
                .isZero();
    }

    @Test
    void shouldNotCountATieAsAWinWhenAJudgeGoesByPosition() {
        engine.submit("swapped", """
            name: swapped
            %s
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy: {type: llm-judge, judge: {kind: scripted, script: {answers: ["2"]}}, swapPositions: true}
            """.formatted(CASES), Map.of());

        engine.awaitEnd("swapped");

        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, fallback, decided FROM trial WHERE campaign_id = 'swapped'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly(0, true, false));
        assertThat(engine.store.query(
                        "SELECT DISTINCT member, shown::text AS shown FROM judge_call WHERE campaign_id = 'swapped'"
                                + " ORDER BY member"))
                .extracting(row -> row.get("shown"))
                .containsExactly("{0,1}", "{1,0}");
    }

    @Test
    void shouldPickTheLongestResponseWhenTheDocumentsStrategyIsAPlugin() {
        engine.submit("custom", """
            name: custom
            %s
            branches:
              - {id: long, kind: scripted, script: {answers: [Paris it is]}}
              - {id: short, kind: scripted, script: {answers: [Paris]}}
            strategy: {type: custom, name: longest-response}
            """.formatted(CASES), Map.of());

        engine.awaitEnd("custom");

        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, decided, reason FROM trial WHERE campaign_id = 'custom'"))
                .extracting(row -> row.values().toString())
                .containsExactly("[0, true, Strategy longest-response: The longest of 2 responses, 11 characters.]");
    }

    private static String asking(String name, int maxAsks, String grader) {
        return """
            name: %s
            cases: [{id: france, prompt: Capital of France?, context: [{role: user, content: Hello}]}]
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
            strategy: {type: custom, name: test, maxAsks: %d, models: {grader: {kind: scripted, script: %s}}}
            """.formatted(name, maxAsks, grader);
    }

    private static String ask(StrategyContext context, String question) {
        return context.ask("grader", List.of(Message.user(question))).text();
    }

    @Test
    void shouldPayRecordAndCountEachAskWhenAStrategyAsks() {
        TestStrategy.behaviour = (prompts, candidates, context) -> {
            assertThat(prompts).containsExactly(Message.user("Capital of France?"));
            assertThat(context.conversation()).containsExactly(Message.user("Hello"));
            assertThat(candidates.getLast().newMessages()).last().isEqualTo(Message.assistant("Paris too"));
            String first = ask(context, "Which?\u0000");
            AskAnswer second = context.ask("grader", List.of(Message.user(first), Message.user("Sure?")));
            assertThat(second.usage()).isEqualTo(Usage.of(7, 2));
            EvaluationDecision decision = new EvaluationDecision.Select(1, second.text());
            return new StrategyAnswer(decision, Usage.of(100, 1));
        };
        engine.submit("asking", asking("asking", 2, "{answers: [B], usage: {input: 7, output: 2}}"), Map.of());

        engine.awaitEnd("asking");

        assertThat(engine.store.query("SELECT selected_index, decided, reason FROM trial WHERE campaign_id = 'asking'"))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, true, Strategy test: B]");
        assertThat(engine.store.query("SELECT kind, member, state FROM ledger WHERE campaign_id = 'asking' AND kind <>"
                        + " 'branch' ORDER BY member"))
                .extracting(row -> row.values().toString())
                .containsExactly("[strategy, 0, ANSWERED]", "[strategy, 1, ANSWERED]");
        assertThat(engine.store.query(
                        "SELECT j.model, j.member, j.status, j.loop_id, j.reply, p.prompt FROM judge_call j"
                                + " JOIN judge_prompt p USING (prompt_hash) WHERE j.campaign_id = 'asking' ORDER BY 2"))
                .extracting(row -> row.values().toString())
                .containsExactly(
                        "[grader, 0, COMPLETED, asking/0.scripted.scripted.4, B,"
                                + " [{\"role\":\"user\",\"content\":\"Which?\uFFFD\"}]]",
                        "[grader, 1, COMPLETED, asking/0.scripted.scripted.5, B,"
                            + " [{\"role\":\"user\",\"content\":\"B\"},{\"role\":\"user\",\"content\":\"Sure?\"}]]");
        Usage counted = Usage.of(114, 5);
        assertThat(engine.store
                        .get(ProgressRepository.class)
                        .find("asking")
                        .orElseThrow()
                        .judgeTokens())
                .isEqualTo(new UsageTotal(counted, 0));
        assertThat(engine.store
                        .get(Summaries.class)
                        .summarize(engine.get("asking"))
                        .judge()
                        .spend()
                        .usage())
                .isEqualTo(counted);
    }

    @Test
    void shouldGiveTheRecordedAnswerAgainWhenTheWorkerFailedAfterAnAsk() {
        AtomicInteger decisions = new AtomicInteger();
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        TestStrategy.behaviour = (prompts, candidates, context) -> {
            decisions.incrementAndGet();
            heard.add(ask(context, "Which?"));
            context.progress("half");
            heard.add(ask(context, "Sure?"));
            return TestStrategy.select(0);
        };
        AtomicBoolean failed = new AtomicBoolean();
        engine.reaction = event -> {
            if (event instanceof AgentEvent.ProgressMessage told
                    && told.text().equals("half")
                    && failed.compareAndSet(false, true)) {
                throw new IllegalStateException("The store is away");
            }
        };
        engine.submit("crashed", asking("crashed", 2, "{answers: [A]}"), Map.of());

        engine.awaitEnd("crashed");
        engine.reaction = event -> {};

        assertThat(decisions).hasValue(2);
        assertThat(heard).containsExactly("A", "A", "A");
        assertThat(engine.store.query(
                        "SELECT kind, member FROM ledger WHERE campaign_id = 'crashed' AND kind = 'strategy'"
                                + " ORDER BY 2"))
                .extracting(row -> row.values().toString())
                .containsExactly("[strategy, 0]", "[strategy, 1]");
    }

    @Test
    void shouldAskAgainLaterWhenAnAskFailsForNowAndGoOnWhenItFailsForGood() {
        TestStrategy.behaviour = (prompts, candidates, context) -> {
            try {
                return TestStrategy.select(ask(context, "Which?").equals("B") ? 1 : 0);
            } catch (AskFailedException e) {
                return new StrategyAnswer(new EvaluationDecision.Undecided(e.getMessage()), Usage.NONE);
            }
        };
        engine.submit("later", asking("later", 1, "{answers: [B], failures: [{status: 503}]}"), Map.of());
        engine.submit("never", asking("never", 1, "{answers: [B], failures: [{status: 400}]}"), Map.of());

        engine.awaitEnd("later");
        engine.awaitEnd("never");

        assertThat(engine.store.query(
                        "SELECT selected_index, decided, complete FROM trial WHERE campaign_id = 'later'"))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, true, true]");
        assertThat(engine.store.query("SELECT attempts FROM judge_call WHERE campaign_id = 'later'"))
                .extracting(row -> row.values().toString())
                .containsExactly("[2]");
        assertThat(engine.store.query("SELECT selected_index, decided, fallback, complete, reason FROM trial WHERE"
                        + " campaign_id = 'never'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values().toString())
                        .startsWith("[0, false, true, true, Strategy test is undecided: PROVIDER_REJECTED"));
    }

    @Test
    void shouldSelectNobodyWhenAStrategyHangsOrThrowsAnError() {
        TestStrategy.behaviour = (prompts, candidates, context) -> {
            if (candidates.getFirst().response().equals("Paris")) {
                throw new StackOverflowError("deep");
            }
            while (!context.isCancelled()) {
                Thread.onSpinWait();
            }
            return TestStrategy.select(0);
        };
        String hangs =
                asking("hangs", 1, "{answers: [B]}").replace("[Paris]", "[Rome]") + "limits: {timeoutSeconds: 1}\n";
        engine.submit("hangs", hangs, Map.of());
        engine.submit("throws", asking("throws", 1, "{answers: [B]}"), Map.of());

        engine.awaitEnd("hangs");
        engine.awaitEnd("throws");

        assertThat(engine.store.query("SELECT selected_index, decided, complete, reason FROM trial WHERE campaign_id IN"
                        + " ('hangs', 'throws') ORDER BY campaign_id"))
                .extracting(row -> row.values().toString())
                .containsExactly(
                        "[null, false, true, Strategy test took longer than 1.0 s; nothing was selected. Correct it"
                                + " and run the campaign again.]",
                        "[null, false, true, Strategy test failed with java.lang.StackOverflowError: deep; nothing was"
                                + " selected. Correct it and run the campaign again.]");
    }

    @Test
    void shouldCompareInPairsAndRankTheBranchesWhenThereAreRounds() {
        engine.submit("pairs", """
            name: pairs
            %s
            branches:
              - {id: a, kind: scripted, script: {answers: [Paris]}}
              - {id: b, kind: scripted, script: {answers: [Paris too]}}
              - {id: c, kind: scripted, script: {answers: [Lyon]}}
              - {id: d, kind: scripted, script: {answers: [Nice]}}
            strategy: {type: pairwise, judge: {kind: scripted, script: {answers: ["1"]}}, rounds: 2}
            """.formatted(CASES), Map.of());

        engine.awaitEnd("pairs");

        // The judge takes the first of each pair: a beats b, c beats d; then a beats c, b beats d.
        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, decided, reason FROM trial WHERE campaign_id =" + " 'pairs'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values().toString())
                        .isEqualTo("[0, true, branches[0] has the most points: 2 points from 4 comparisons.]"));
        assertThat(engine.store.query("SELECT DISTINCT member, shown::text AS shown FROM judge_call WHERE campaign_id ="
                        + " 'pairs' ORDER BY member"))
                .extracting(row -> row.values().toString())
                .containsExactly("[0, {0,1}]", "[1, {2,3}]", "[2, {0,2}]", "[3, {1,3}]");
        assertThat(engine.store.query("""
            SELECT r ->> 'branchId' AS branch, r ->> 'wins' AS wins, r ->> 'losses' AS losses
            FROM campaign, jsonb_array_elements(summary -> 'judge' -> 'ranking') r WHERE campaign_id = 'pairs'\
            """))
                .extracting(row -> row.values().toString())
                .startsWith("[a, 6, 0]")
                .endsWith("[d, 0, 6]");
    }

    @Test
    void shouldTryAgainAndCountAttemptsWhenProviderFails() {
        engine.submit("retried", """
            name: retried
            %s
            branches:
              - id: flaky
                kind: scripted
                script: {answers: [Paris], failures: [{status: 503}, {status: 429, retryAfterSeconds: 1}]}
            """.formatted(CASES), Map.of());

        StoredCampaign ended = engine.awaitEnd("retried");

        assertThat(ended.state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.query("SELECT DISTINCT status, attempts FROM outcome WHERE campaign_id = 'retried'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("COMPLETED", 3));
        assertThat(engine.store.count("SELECT count(*) FROM ledger WHERE campaign_id = 'retried' AND state = 'FAILED'"))
                .isEqualTo(6);
    }

    @Test
    void shouldFailCellWhenProviderRefusesOrAttemptsRunOut() {
        engine.submit("refused", """
            name: refused
            %s
            branches:
              - {id: refused, kind: scripted, script: {answers: [x], failures: [{status: 400}]}}
              - {id: exhausted, kind: scripted, script: {answers: [x], failures: [{status: 503}, {status: 503}]}}
            limits: {maxAttempts: 2}
            """.formatted(CASES), Map.of());

        StoredCampaign ended = engine.awaitEnd("refused");

        assertThat(ended.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(engine.store.query("""
            SELECT DISTINCT branch_index, status, attempts, error_code FROM outcome
            WHERE campaign_id = 'refused' ORDER BY branch_index\
            """))
                .extracting(row -> row.values().toString())
                .containsExactly("[0, MODEL_ERROR, 1, PROVIDER_REJECTED]", "[1, MODEL_ERROR, 2, PROVIDER_UNAVAILABLE]");
        assertThat(engine.store.query(
                        "SELECT DISTINCT selected_index, decided FROM trial WHERE campaign_id = 'refused'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly(null, false));
    }

    @Test
    void shouldTellEveryAttemptAndTheBeginOnceWhenALoopIsTriedAgainOrFails() {
        engine.submit("told", """
            name: told
            cases: [{id: france, prompt: Capital of France?}]
            branches:
              - {id: flaky, kind: scripted, script: {answers: [Paris], failures: [{status: 503}]}}
              - {id: refused, kind: scripted, script: {answers: [x], failures: [{status: 400}]}}
            """, Map.of());

        engine.awaitEnd("told");

        assertThat(events("told/0.flaky.1"))
                .containsExactly(
                        "AgentStart",
                        "TurnStart",
                        "MessageStart",
                        "MessageEnd",
                        "ProgressMessage",
                        "TurnStart",
                        "MessageStart",
                        "MessageEnd",
                        "MessageStart",
                        "MessageUpdate",
                        "MessageEnd",
                        "TurnEnd");
        assertThat(events("told/0.refused.2")).containsExactly("AgentStart", "TurnStart", "MessageStart", "MessageEnd");
    }

    private static List<String> events(String loopId) {
        return engine.events.stream()
                .filter(event ->
                        event instanceof AgentEvent.OfLoop told && told.loopId().equals(loopId))
                .map(AgentEvent::name)
                .toList();
    }

    @Test
    void shouldStopWithinTwoSecondsAndGoOnWhenCampaignIsCancelledAndResumed() {
        engine.submit("cancelled", """
            name: cancelled
            %s
            branches:
              - {id: slow, kind: scripted, script: {answers: [Paris], delayMs: 3000}}
            """.formatted(CASES), Map.of());
        awaitRows("SELECT count(*) FROM ledger WHERE campaign_id = 'cancelled' AND state = 'SENT'", 3);

        long cancelledAt = System.nanoTime();
        engine.campaigns.transition("cancelled", Set.of(CampaignState.RUNNING), CampaignState.CANCELLED, true, null);
        awaitRows("SELECT count(*) FROM outcome WHERE campaign_id = 'cancelled' AND status = 'CANCELLED'", 3);

        assertThat((System.nanoTime() - cancelledAt) / 1e9).isLessThan(2);
        engine.campaigns.transition("cancelled", Set.of(CampaignState.CANCELLED), CampaignState.RUNNING, true, null);
        engine.startOrWake("cancelled");
        assertThat(engine.awaitEnd("cancelled").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.query("SELECT DISTINCT status FROM outcome WHERE campaign_id = 'cancelled'"))
                .singleElement()
                .satisfies(row -> assertThat(row.values()).containsExactly("COMPLETED"));
    }

    @Test
    void shouldStartNothingWhilePausedAndFinishWhenResumed() {
        engine.submit("paused", """
            name: paused
            %s
            branches:
              - {id: slow, kind: scripted, script: {answers: [Paris], delayMs: 300}}
            trials: 5
            limits: {maxConcurrent: 1}
            """.formatted(CASES), Map.of());
        awaitRows("SELECT count(*) FROM outcome WHERE campaign_id = 'paused'", 2);
        engine.campaigns.transition("paused", Set.of(CampaignState.RUNNING), CampaignState.PAUSED, false, null);
        awaitRows("SELECT count(*) FROM ledger WHERE campaign_id = 'paused' AND state = 'SENT'", 0);
        String ledger = "SELECT count(*) FROM ledger WHERE campaign_id = 'paused'";
        long asked = engine.store.count(ledger);
        await().during(Duration.ofMillis(800))
                .atMost(Engine.PATIENCE)
                .untilAsserted(() -> assertThat(engine.store.count(ledger))
                        .isLessThanOrEqualTo(asked + 1)
                        .isLessThan(15));

        engine.campaigns.transition("paused", Set.of(CampaignState.PAUSED), CampaignState.RUNNING, true, null);
        engine.startOrWake("paused");

        assertThat(engine.awaitEnd("paused").state()).isEqualTo(CampaignState.COMPLETED);
        assertThat(engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = 'paused'"))
                .isEqualTo(15);
    }

    private static void awaitRows(String sql, long rows) {
        await(sql)
                .atMost(Engine.PATIENCE)
                .until(() -> engine.store.count(sql), count -> rows == 0 ? count == 0 : count >= rows);
    }
}
