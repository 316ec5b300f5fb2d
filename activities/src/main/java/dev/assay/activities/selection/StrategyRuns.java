package dev.assay.activities.selection;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.call.CampaignEvents;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.Halt;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.judging.CallCount;
import dev.assay.activities.judging.JudgeCalls;
import dev.assay.activities.judging.StrategyAsk;
import dev.assay.activities.judging.TrialJudging.Judged;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.selection.Choice;
import dev.assay.domain.selection.CustomChoice;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.selection.Strategy;
import dev.assay.domain.suite.Case;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.outcome.OutcomeRepository;
import dev.assay.store.result.SelectionQueries;
import dev.assay.store.suite.CaseRepository;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The decisions of trials by custom strategies, several at once. Their earlier asks are on record, so an attempt resumes where the
 * last one stopped.
 */
@Singleton
class StrategyRuns {

    /** The interval at which it is checked whether the campaign still wants the decisions. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final CustomStrategies strategies;
    private final JudgeCalls calls;
    private final SelectionQueries recorded;
    private final OutcomeRepository outcomes;
    private final CaseRepository cases;
    private final CampaignEvents listeners;
    private final Halt halt;
    private final WorkerIdentity worker;
    private final StrategyPlaces places = new StrategyPlaces();

    StrategyRuns(
            CustomStrategies strategies,
            JudgeCalls calls,
            SelectionQueries recorded,
            OutcomeRepository outcomes,
            CaseRepository cases,
            CampaignEvents listeners,
            Halt halt,
            WorkerIdentity worker) {
        this.strategies = strategies;
        this.calls = calls;
        this.recorded = recorded;
        this.outcomes = outcomes;
        this.cases = cases;
        this.listeners = listeners;
        this.halt = halt;
        this.worker = worker;
    }

    /**
     * Has each trial decided, unless it must ask later or the campaign no longer wants it.
     *
     * @param questions what is to be decided, by trial number
     * @param selections receives the selections of the decided trials
     * @return the calls that were made, and the trials that stay open
     * @throws AssayException NO_WORKER when this worker lacks the strategy or a provider that it asks: Temporal tries again until a
     *     worker that has them takes the trials
     */
    CellBatch.Result decide(
            StoredCampaign campaign,
            int epoch,
            Map<Integer, Choice.AskCustom> questions,
            Map<Integer, Judged> selections) {
        if (questions.isEmpty()) {
            return CellBatch.Result.NOTHING;
        }
        Batch batch = new Batch(campaign, epoch, Activity.getExecutionContext());
        Map<Integer, StrategyRun.End> ends = batch.run(questions);
        CellBatch.Result asked = CellBatch.Result.NOTHING;
        for (Map.Entry<Integer, StrategyRun.End> entry : ends.entrySet()) {
            StrategyRun.End end = entry.getValue();
            asked = asked.and(end.asked());
            if (end.selection() != null) {
                selections.put(entry.getKey(), new Judged(end.selection(), end.isFinal()));
            }
        }
        return asked;
    }

    private SelectionStrategy strategy(Strategy.Custom custom) {
        if (custom.maxAsks() > 0) {
            calls.requireAll(List.copyOf(custom.models().values()));
        }
        return strategies
                .find(custom.name())
                .orElseThrow(() -> new AssayException(
                        ErrorCode.NO_WORKER,
                        "Worker " + worker.id() + " has no custom strategy " + custom.name()
                                + "; give it the plugins of the others"));
    }

    /** The trials of one activity. */
    private final class Batch {

        private final StoredCampaign campaign;
        private final RunKey run;
        private final ActivityExecutionContext activity;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final Map<Integer, StrategyRun.End> ends = new ConcurrentHashMap<>();
        private final Map<Integer, Throwable> failures = new ConcurrentHashMap<>();

        Batch(StoredCampaign campaign, int epoch, ActivityExecutionContext activity) {
            this.campaign = campaign;
            this.run = new RunKey(campaign.id(), epoch);
            this.activity = activity;
        }

        Map<Integer, StrategyRun.End> run(Map<Integer, Choice.AskCustom> questions) {
            Set<Integer> indexes =
                    questions.keySet().stream().map(campaign.grid()::caseIndex).collect(Collectors.toSet());
            Map<Integer, Case> byIndex = cases.find(campaign.suiteId(), indexes);
            SelectionStrategy strategy =
                    strategy(questions.values().iterator().next().strategy());
            CountDownLatch left = new CountDownLatch(questions.size());
            questions.forEach((ordinal, question) -> Thread.ofVirtual()
                    .name("strategy-run-", ordinal)
                    .start(() -> {
                        try {
                            Case asked =
                                    requireNonNull(byIndex.get(campaign.grid().caseIndex(ordinal)));
                            ends.put(ordinal, decide(ordinal, question, strategy, asked));
                        } catch (Throwable e) {
                            // A stopped decision is not needed: the trial stays open, and its asks are on record.
                            if (stopped.get() && e instanceof Exception) {
                                ends.put(ordinal, new StrategyRun.End(null, false, CellBatch.Result.left(ordinal)));
                            } else {
                                failures.put(ordinal, e);
                            }
                        } finally {
                            left.countDown();
                        }
                    }));
            await(left, questions.size());
            return ends;
        }

        /** Keeps the activity alive until all decisions have ended; throws failures that are not the strategy's fault. */
        private void await(CountDownLatch left, int decisions) {
            RuntimeException ended = null;
            while (true) {
                try {
                    if (left.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                        break;
                    }
                    activity.heartbeat(new CallCount("decisions", decisions - (int) left.getCount(), decisions));
                    if (halt.halted(run)) {
                        stopped.set(true);
                    }
                } catch (InterruptedException e) {
                    ended = new IllegalStateException("The activity's thread was interrupted", e);
                    stopped.set(true);
                } catch (RuntimeException e) {
                    // Temporal no longer waits for this attempt, or the store does not answer.
                    ended = e;
                    stopped.set(true);
                }
            }
            if (ended == null && !failures.isEmpty()) {
                Throwable first = failures.values().iterator().next();
                ended = first instanceof RuntimeException e ? e : new IllegalStateException(first);
            }
            if (ended != null) {
                throw ended;
            }
        }

        private StrategyRun.End decide(int ordinal, Choice.AskCustom question, SelectionStrategy strategy, Case asked)
                throws InterruptedException {
            Strategy.Custom custom = question.strategy();
            if (!places.begin(stopped::get)) {
                Selection refused = CustomChoice.failed(custom.name(), StrategyRun.NO_PLACE);
                return stopped.get()
                        ? new StrategyRun.End(null, false, CellBatch.Result.left(ordinal))
                        : new StrategyRun.End(refused, true, CellBatch.Result.NOTHING);
            }
            return run(ordinal, question, strategy, asked)
                    .decide(campaign.definition().limits().timeout());
        }

        private StrategyRun run(int ordinal, Choice.AskCustom question, SelectionStrategy strategy, Case asked) {
            Strategy.Custom custom = question.strategy();
            try {
                LoopId loop = campaign.loopId(
                        ordinal, campaign.definition().branches().size(), custom.segment());
                return new StrategyRun(
                        custom,
                        candidates(ordinal, question),
                        new PluginThread.Work(strategy, asked.prompts(), asked.context()),
                        new TrialAsks(ordinal),
                        places,
                        stopped::get,
                        new LoopEvents(loop, listeners.of(campaign)));
            } catch (RuntimeException | Error e) {
                places.end();
                throw e;
            }
        }

        /** The candidates with their transcripts, which only strategies of plugins look at. */
        private List<Outcome> candidates(int ordinal, Choice.AskCustom question) {
            Map<Integer, Outcome> whole = outcomes.withTranscripts(campaign.id(), ordinal).stream()
                    .collect(Collectors.toMap(Outcome::branchIndex, Function.identity()));
            return question.candidates().stream()
                    .map(candidate -> whole.getOrDefault(candidate.branchIndex(), candidate))
                    .toList();
        }

        private final class TrialAsks implements StrategyRun.Asks {

            private final int ordinal;

            TrialAsks(int ordinal) {
                this.ordinal = ordinal;
            }

            @Override
            public Map<Integer, FinishedJudgeCall> recorded() {
                return StrategyRuns.this
                        .recorded
                        .judgeCalls(campaign.id(), List.of(ordinal))
                        .getOrDefault(ordinal, List.of())
                        .stream()
                        .collect(Collectors.toMap(FinishedJudgeCall::slot, Function.identity()));
            }

            @Override
            public CellBatch.Result make(int slot, StrategyAsk ask) {
                return calls.ask(campaign, run.epoch(), ordinal, slot, ask, _ -> {
                    if (stopped.get()) {
                        throw new IllegalStateException("No call waits for the decision of trial " + ordinal);
                    }
                });
            }

            @Override
            public CellBatch.Result later() {
                return CellBatch.Result.left(ordinal);
            }
        }
    }
}
