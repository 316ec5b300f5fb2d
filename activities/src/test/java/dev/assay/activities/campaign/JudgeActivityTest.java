package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.judging.CallCount;
import dev.assay.activities.selection.ExamplePlugin;
import dev.assay.activities.selection.TestStrategy;
import dev.assay.campaigns.steering.CampaignChanges;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.message.Message;
import dev.assay.domain.steering.Rerun;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Usage;
import dev.assay.workflows.WorkflowIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.Payloads;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.common.converter.DefaultDataConverter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a trial waits for shows in Temporal, from the campaign file to the activity. */
final class JudgeActivityTest {

    private static Engine engine;

    @BeforeAll
    static void start(@TempDir Path plugins) throws IOException {
        ExamplePlugin.name(plugins, TestStrategy.class);
        engine = new Engine(
                ToolPolicy.NONE,
                Map.of("assay.plugins.directory", plugins.toString(), "assay.judging.texts-bytes", 80));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
    }

    private static final String ANSWERS = "kind: scripted, script: {answers: [Paris]}";
    private static final String FAILS = "kind: scripted, script: {answers: [Paris], failures: [{status: 400}]}";
    private static final String JUDGED = "strategy: {type: llm-judge, judge: {kind: scripted, script: %s}}";
    private static final String JUDGE = JUDGED.formatted("{answers: [\"2\"]}");

    private static String campaign(String first, String second, String rest) {
        return """
            name: judged
            cases: [{id: france, prompt: Capital of France?}]
            branches: [{id: a, %s}, {id: b, %s}]
            %s
            """.formatted(first, second, rest);
    }

    private static void run(String id, String campaign) {
        engine.submit(id, campaign, Map.of());
        assertThat(engine.awaitEnd(id).state()).isEqualTo(CampaignState.COMPLETED);
    }

    /** Type and summary of each activity of the campaign's first slice that is no branch's. */
    private static List<String> trialActivities(String id) {
        return engine.history(id).stream()
                .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                .map(event -> event.getActivityTaskScheduledEventAttributes()
                                .getActivityType()
                                .getName() + ": "
                        + DefaultDataConverter.newDefaultInstance()
                                .fromPayload(event.getUserMetadata().getSummary(), String.class, String.class))
                .filter(activity -> !activity.startsWith("ensureOutcomes"))
                .toList();
    }

    @Test
    void shouldShowTheJudgeOfATrialWhenTwoBranchesAnswered() {
        run("shown", campaign(ANSWERS, ANSWERS, "trials: 2\n" + JUDGE));

        assertThat(trialActivities("shown"))
                .containsExactlyInAnyOrder(
                        "judgeTrials: judge scripted · france, trial 1",
                        "judgeTrials: judge scripted · france, trial 2");
    }

    @Test
    void shouldShowASelectionWhenNoJudgeIsNeeded() {
        run("one-answer", campaign(ANSWERS, FAILS, JUDGE));
        run("no-answer", campaign(FAILS, FAILS, JUDGE));

        assertThat(trialActivities("one-answer")).containsExactly("selectTrials: select · france, trial 1");
        assertThat(trialActivities("no-answer")).containsExactly("selectTrials: select · france, trial 1");
        assertThat(engine.store.count(
                        "SELECT count(*) FROM judge_call WHERE campaign_id IN ('one-answer', 'no-answer')"))
                .isZero();
    }

    @Test
    void shouldShowTheGraderWhenAnAnswerIsGraded() {
        String graded = """
            checks: [{type: rubric, value: Polite}]
            grader: {kind: scripted, script: {answers: ['{"reason": "r", "score": 1, "pass": true}']}}
            """;
        run("graded", campaign(ANSWERS, FAILS, "strategy: {type: pick-first}\n" + graded));
        run("ungraded", campaign(FAILS, FAILS, "strategy: {type: pick-first}\n" + graded));

        assertThat(trialActivities("graded")).containsExactly("judgeTrials: grader scripted · france, trial 1");
        assertThat(trialActivities("ungraded")).containsExactly("selectTrials: select · france, trial 1");
    }

    @Test
    void shouldShowTheStrategyWhenItMayAskModels() {
        TestStrategy.behaviour = (prompts, candidates, context) -> {
            if (candidates.size() > 1) {
                context.ask("grader", List.of(Message.user("Which?")));
            }
            return new StrategyAnswer(new EvaluationDecision.Select(0, "It is."), Usage.NONE);
        };
        String asks = "strategy: {type: custom, name: test, maxAsks: 1, models: {grader: {" + ANSWERS + "}}}";
        run("asks", campaign(ANSWERS, ANSWERS, asks));
        run("computes", campaign(ANSWERS, FAILS, "strategy: {type: custom, name: test}"));

        assertThat(trialActivities("asks")).containsExactly("judgeTrials: strategy test · france, trial 1");
        assertThat(trialActivities("computes")).containsExactly("selectTrials: select · france, trial 1");
    }

    @Test
    void shouldShowTheJudgeOfAnEvaluation() {
        engine.evaluate("evaluated", campaign(ANSWERS, ANSWERS, JUDGE), Map.of());
        engine.awaitEnd("evaluated");

        assertThat(trialActivities("evaluated")).containsExactly("judgeTrials: judge scripted · france, trial 1");
    }

    @Test
    void shouldShowTheJudgeAgainWhenItIsAskedAgain() throws TimeoutException {
        run("again", campaign(ANSWERS, ANSWERS, JUDGED.formatted("{answers: [\"1\"], failures: [{status: 400}]}")));
        // A workflow that has not ended would go on, and number its slices on.
        client().newUntypedWorkflowStub(WorkflowIds.campaign("again")).getResult(60, TimeUnit.SECONDS, Void.class);
        engine.store.get(CampaignChanges.class).rerun("again", new Rerun(Rerun.Only.ERRORED, List.of(), List.of()));
        engine.startOrWake("again");
        engine.awaitEnd("again");

        assertThat(engine.get("again").epoch()).isGreaterThan(1);
        assertThat(trialActivities("again")).containsExactly("judgeTrials: judge scripted · france, trial 1");
    }

    /** A call that is to be tried again leaves the trial to its branches, which are done, and to another activity. */
    @Test
    void shouldJudgeInAnotherActivityWhenTheJudgeMustBeAskedLater() {
        run("later", campaign(ANSWERS, ANSWERS, JUDGED.formatted("{answers: [\"2\"], failures: [{status: 503}]}")));

        assertThat(trialActivities("later"))
                .containsExactly(
                        "judgeTrials: judge scripted · france, trial 1",
                        "judgeTrials: judge scripted · france, trial 1");
        assertThat(engine.store.query("SELECT selected_index, decided FROM trial WHERE campaign_id = 'later'"))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, true]");
    }

    /** Batches have several trials, and only the answers of two fit into the room for texts. */
    @Test
    void shouldJudgeOnePartOfABatchAfterTheOtherWhenItsAnswersAreLong() {
        String cases = IntStream.range(0, 300)
                .mapToObj(i -> "{id: c" + i + ", prompt: Capital of France?}")
                .collect(Collectors.joining(", "));
        run(
                "parts",
                campaign(ANSWERS, ANSWERS, JUDGE).replace("{id: france, prompt: Capital of France?}", cases)
                        + "limits: {maxConcurrent: 200}\n");

        assertThat(engine.store.query(
                        "SELECT selected_index, count(*) FROM trial WHERE campaign_id = 'parts' GROUP BY 1"))
                .extracting(row -> row.values().toString())
                .containsExactly("[1, 300]");
        assertThat(trialActivities("parts")).anyMatch(activity -> activity.contains(" trials from "));
    }

    @Test
    void shouldCountTheCallsWhileTheJudgesTakeTheirTime() {
        engine.submit("waits", campaign(ANSWERS, ANSWERS, """
            strategy:
              type: llm-judge
              panel:
                - {kind: scripted, script: {answers: ["2"]}}
                - {kind: scripted, script: {answers: ["2"], delayMs: 8000}}
            """), Map.of());

        CallCount count = await().atMost(Duration.ofSeconds(30))
                // The slice may not have begun.
                .ignoreExceptionsMatching(e -> e instanceof StatusRuntimeException refused
                        && refused.getStatus().getCode() == Status.Code.NOT_FOUND)
                .until(() -> heartbeat("waits"), Optional::isPresent)
                .orElseThrow();

        assertThat(count).isEqualTo(new CallCount("judge calls", 1, 2));
        engine.awaitEnd("waits");
    }

    private static WorkflowClient client() {
        return engine.store.get(WorkflowClient.class);
    }

    private static Optional<CallCount> heartbeat(String id) {
        WorkflowClient client = client();
        return client
                .getWorkflowServiceStubs()
                .blockingStub()
                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(client.getOptions().getNamespace())
                        .setExecution(client.newUntypedWorkflowStub(WorkflowIds.slice(id, 1, 0))
                                .getExecution())
                        .build())
                .getPendingActivitiesList()
                .stream()
                .filter(activity -> activity.getActivityType().getName().equals("judgeTrials"))
                .map(PendingActivityInfo::getHeartbeatDetails)
                .filter(details -> details.getPayloadsCount() > 0)
                .map(JudgeActivityTest::count)
                .findFirst();
    }

    private static CallCount count(Payloads details) {
        return DefaultDataConverter.newDefaultInstance()
                .fromPayloads(0, Optional.of(details), CallCount.class, CallCount.class);
    }
}
