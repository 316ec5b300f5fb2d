package dev.assay.workflows.slice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.campaign.TrialJudges;
import dev.assay.workflows.TaskQueues;
import dev.assay.workflows.WorkflowIds;
import dev.assay.workflows.engine.CampaignInMemory;
import dev.assay.workflows.engine.CampaignInMemory.Script;
import dev.assay.workflows.engine.CampaignInMemory.State;
import dev.assay.workflows.engine.Engine;
import dev.assay.workflows.engine.SliceInputs;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.api.history.v1.ActivityTaskScheduledEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a trial waits for shows in Temporal: models that read answers have an activity of their own. */
@Timeout(120)
class JudgeTrialsTest {

    private static final int LARGE = 100_000;
    private static final TrialJudges JUDGE = new TrialJudges("judge gpt-5", 2);
    private static final TrialJudges GRADER = new TrialJudges("grader gpt-5", 1);

    private static CampaignInMemory judged(int cases, TrialJudges judges) {
        CampaignInMemory campaign = new CampaignInMemory(cases, 2);
        campaign.trialQueue = TaskQueues.provider("test");
        campaign.judges = judges;
        campaign.run();
        return campaign;
    }

    @Test
    void shouldJudgeInAnActivityOfItsOwnWhenModelsReadTheAnswers() {
        CampaignInMemory campaign = judged(1, JUDGE);
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(1);

            assertThat(summaries(engine, campaign))
                    .containsExactly(
                            "france · branch-0 · trial 1",
                            "france · branch-1 · trial 1",
                            "judge gpt-5 · france, trial 1");
            ActivityTaskScheduledEventAttributes judging =
                    scheduled(engine, campaign).getLast().getActivityTaskScheduledEventAttributes();
            assertThat(judging.getActivityType().getName()).isEqualTo("judgeTrials");
            assertThat(judging.getTaskQueue().getName()).isEqualTo(TaskQueues.provider("test"));
            assertThat(engine.history(WorkflowIds.slice(campaign.id, 1, 0)).toJson(true))
                    .as("timeouts and retries of its own")
                    .containsOnlyOnce("\"maximumInterval\": \"10s\"")
                    .contains("\"heartbeatTimeout\": \"30s\"", "\"startToCloseTimeout\": \"86400s\"");
            assertThat(judging.getRetryPolicy().getMaximumAttempts()).isZero();
        }
    }

    @Test
    void shouldSelectWithoutAJudgeWhenTooFewBranchesAnswered() {
        CampaignInMemory campaign = judged(4, JUDGE);
        campaign.unanswered = (branch, trial) -> trial == 1 && branch == 0 || trial == 2;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(4);

            assertThat(trials(campaign.judgements())).containsExactlyInAnyOrder(0, 3);
            assertThat(trials(campaign.selections())).containsExactlyInAnyOrder(1, 2);
        }
    }

    @Test
    void shouldHaveASingleAnswerReadWhenAGraderReadsIt() {
        CampaignInMemory campaign = judged(2, GRADER);
        campaign.unanswered = (branch, trial) -> branch == 0 || trial == 1;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(SliceInputs.judged(campaign)).trialsDone()).isEqualTo(2);

            assertThat(trials(campaign.judgements())).containsExactly(0);
            assertThat(trials(campaign.selections())).containsExactly(1);
        }
    }

    /** A campaign that is judged takes as many activities as it took when judges had none of their own. */
    @Test
    void shouldTakeOneActivityForABatchWhenSomeOfItsTrialsAreNotRead() {
        CampaignInMemory campaign = judged(400, JUDGE);
        campaign.reportedCellSeconds = 0.05;
        campaign.unanswered = (branch, trial) -> branch == 1 && trial % 10 > 0;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(large(campaign));

            assertThat(result.trialsDone()).isEqualTo(400);
            Map<String, Long> types = types(engine, campaign);
            assertThat(types).containsOnlyKeys("ensureOutcomes", "judgeTrials");
            assertThat(types.get("judgeTrials")).isEqualTo(types.get("ensureOutcomes") / 2);
            assertThat(trials(campaign.judgements())).hasSize(400);
        }
    }

    @Test
    void shouldTakeNoActivityForAJudgeWhenABatchHasNothingToRead() {
        CampaignInMemory campaign = judged(400, JUDGE);
        campaign.reportedCellSeconds = 0.05;
        campaign.unanswered = (branch, trial) -> true;
        try (Engine engine = new Engine(campaign)) {
            assertThat(engine.run(large(campaign)).trialsDone()).isEqualTo(400);

            Map<String, Long> types = types(engine, campaign);
            assertThat(types).containsOnlyKeys("ensureOutcomes", "selectTrials");
            assertThat(types.get("selectTrials")).isLessThanOrEqualTo(types.get("ensureOutcomes") / 2);
        }
    }

    @Test
    void shouldJudgeWhereverTrialsAreSelectedWhenACustomStrategyAsks() {
        CampaignInMemory campaign = judged(1, new TrialJudges("strategy shortest-answer", 1));
        campaign.trialQueue = TaskQueues.ORCHESTRATION;
        try (Engine engine = new Engine(campaign)) {
            engine.run(SliceInputs.of(campaign, 2, 20, 60));

            assertThat(summaries(engine, campaign).getLast()).isEqualTo("strategy shortest-answer · france, trial 1");
            assertThat(types(engine, campaign)).containsOnlyKeys("ensureOutcomes", "judgeTrials");
        }
    }

    /** The run of a campaign that began under an earlier build hands on plans without the names. */
    @Test
    void shouldNameNoModelWhenThePlanNamesNone() {
        CampaignInMemory campaign = judged(1, JUDGE);
        campaign.judges = null;
        try (Engine engine = new Engine(campaign)) {
            engine.run(SliceInputs.judged(campaign));

            assertThat(summaries(engine, campaign).getLast()).isEqualTo("judge · france, trial 1");
        }
    }

    @Test
    void shouldTakeATrialThroughItsBranchesAgainWhenAJudgeMustBeAskedLater() {
        CampaignInMemory campaign = judged(2, JUDGE);
        campaign.selectionScript = (branch, trial, attempt) -> trial == 1 && attempt == 1 ? 200 : Script.CLOSED;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.judged(campaign));

            assertThat(result).isEqualTo(new SliceResult(2, false, false, result.pace()));
            assertThat(trials(campaign.judgements())).containsExactlyInAnyOrder(0, 1, 1);
            assertThat(campaign.cellsRun()).as("closed cells are not run again").isEqualTo(4);
        }
    }

    @Test
    void shouldLeaveATrialToTheCampaignWhenItsJudgeIsAskedInABatch() {
        CampaignInMemory campaign = judged(2, JUDGE);
        campaign.asksInBatch = trial -> trial == 1;
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.judged(campaign));

            assertThat(result).isEqualTo(new SliceResult(1, false, false, result.pace(), 1));
            assertThat(trials(campaign.judgements())).containsExactlyInAnyOrder(0, 1);
        }
    }

    @Test
    void shouldStartNothingMoreWhenTheCampaignIsPausedWhileItIsJudged() {
        CampaignInMemory campaign = judged(100, JUDGE);
        campaign.cellTime = Duration.ofMillis(50);
        campaign.before = activity -> {
            if (activity.equals("judgeTrials")) {
                campaign.pause();
            }
        };
        try (Engine engine = new Engine(campaign)) {
            SliceResult result = engine.run(SliceInputs.judged(campaign));

            assertThat(result.halted()).isTrue();
            assertThat(result.trialsDone()).isZero();
            assertThat(campaign.batches().size()).isLessThan(2 * 100);
        }
    }

    @Test
    void shouldJudgeEveryTrialWhenTheCampaignIsPlannedWithItsJudges() {
        CampaignInMemory campaign = judged(60, JUDGE);
        campaign.trialQueue = TaskQueues.ORCHESTRATION;
        try (Engine engine = new Engine(campaign)) {
            engine.run(campaign);

            assertThat(campaign.state()).isEqualTo(State.COMPLETED);
            assertThat(trials(campaign.judgements())).hasSize(60);
            assertThat(campaign.selections()).isEmpty();
        }
    }

    /** What a worker offers that is older than the judges' activity. */
    @ActivityInterface
    public interface EarlierTrialActivities {
        @ActivityMethod(name = "selectTrials")
        BatchResult selectTrials(TrialActivities.SelectionBatch batch);
    }

    /** Where Temporal cannot tell builds apart, a worker of an earlier one may take the activity; it leaves it to the others. */
    @Test
    void shouldWaitForANewerWorkerWhenAnEarlierOneDoesNotKnowTheActivity() {
        CampaignInMemory campaign = judged(1, JUDGE);
        campaign.trialQueue = TaskQueues.provider("elsewhere");
        EarlierTrialActivities earlier = campaign::selectTrials;
        try (Engine engine = new Engine(campaign)) {
            WorkerFactory earlierWorker = worker(engine, campaign.trialQueue, earlier);
            WorkflowStub slice = engine.start(SliceInputs.planned(campaign));
            Engine.await("a second try", () -> attempts(engine, slice) >= 2);
            earlierWorker.shutdownNow();
            earlierWorker.awaitTermination(10, TimeUnit.SECONDS);
            WorkerFactory newer = worker(engine, campaign.trialQueue, campaign);
            try {
                engine.finish(slice);
            } finally {
                newer.shutdownNow();
            }

            assertThat(trials(campaign.judgements())).containsExactly(0);
            assertThat(campaign.selections()).isEmpty();
        }
    }

    private static WorkerFactory worker(Engine engine, String queue, Object activities) {
        WorkerFactory factory = WorkerFactory.newInstance(engine.client());
        factory.newWorker(queue).registerActivitiesImplementations(activities);
        factory.start();
        return factory;
    }

    private static int attempts(Engine engine, WorkflowStub slice) {
        WorkflowClient client = engine.client();
        return client
                .getWorkflowServiceStubs()
                .blockingStub()
                .describeWorkflowExecution(DescribeWorkflowExecutionRequest.newBuilder()
                        .setNamespace(client.getOptions().getNamespace())
                        .setExecution(slice.getExecution())
                        .build())
                .getPendingActivitiesList()
                .stream()
                .filter(activity -> activity.getActivityType().getName().equals("judgeTrials"))
                .mapToInt(PendingActivityInfo::getAttempt)
                .max()
                .orElse(0);
    }

    private static ParallelEvaluationWorkflow.Slice large(CampaignInMemory campaign) {
        return SliceInputs.of(campaign, LARGE, 100, 100);
    }

    private static List<Integer> trials(List<TrialActivities.SelectionBatch> batches) {
        return batches.stream()
                .flatMap(batch -> batch.trials().stream())
                .flatMap(range -> IntStream.range(range.from(), range.to()).boxed())
                .toList();
    }

    private static List<HistoryEvent> scheduled(Engine engine, CampaignInMemory campaign) {
        return engine.events(WorkflowIds.slice(campaign.id, 1, 0)).stream()
                .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
                .toList();
    }

    /** How many activities of each type there were. */
    private static Map<String, Long> types(Engine engine, CampaignInMemory campaign) {
        return scheduled(engine, campaign).stream()
                .collect(Collectors.groupingBy(
                        event -> event.getActivityTaskScheduledEventAttributes()
                                .getActivityType()
                                .getName(),
                        Collectors.counting()));
    }

    private static List<String> summaries(Engine engine, CampaignInMemory campaign) {
        return scheduled(engine, campaign).stream()
                .map(event -> DefaultDataConverter.newDefaultInstance()
                        .fromPayload(event.getUserMetadata().getSummary(), String.class, String.class))
                .toList();
    }
}
