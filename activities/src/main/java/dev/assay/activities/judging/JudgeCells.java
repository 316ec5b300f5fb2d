package dev.assay.activities.judging;

import static java.util.Objects.requireNonNull;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.cell.CampaignEvents;
import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.Isolation;
import dev.assay.activities.cell.LedgeredClient;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.permit.Permits;
import dev.assay.activities.provider.ModelResolver;
import dev.assay.activities.provider.ResolvedModel;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.judge.Conversation;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeQuestion;
import dev.assay.domain.outcome.AttemptEnd;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.Placement;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKind;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims.Claimed;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Asks judges. A judge call is a cell of its own kind: claimed, permitted, in the ledger, stored once. */
@Singleton
public class JudgeCells {

    private static final Failure CAMPAIGN_CANCELLED = new Failure(ErrorCode.CANCELLED, "The campaign was cancelled");

    private final CellRepository cells;
    private final RunningCells running;
    private final Permits permits;
    private final RunJournal journal;
    private final ModelResolver models;
    private final WorkerIdentity worker;
    private final CampaignEvents listeners;
    private final Isolation isolation;

    public JudgeCells(
            CellRepository cells,
            RunningCells running,
            Permits permits,
            RunJournal journal,
            ModelResolver models,
            WorkerIdentity worker,
            CampaignEvents listeners,
            Isolation isolation) {
        this.listeners = listeners;
        this.isolation = isolation;
        this.cells = cells;
        this.running = running;
        this.permits = permits;
        this.journal = journal;
        this.models = models;
        this.worker = worker;
    }

    /**
     * A trial whose judges are to be asked.
     *
     * @param conversation what the responses answer
     * @param responses the text of each branch that is shown, by branch index
     * @param questions the calls to make, by their number
     */
    public record Trial(
            Conversation conversation, Map<Integer, String> responses, Map<Integer, JudgeQuestion> questions) {

        public Trial {
            responses = Map.copyOf(responses);
            questions = Map.copyOf(questions);
        }
    }

    /**
     * Makes the calls of the given trials, all at once; see {@link CellBatch#run}.
     *
     * @throws AssayException NO_WORKER when this worker cannot ask one of the judges: it would be left out of the selections.
     *     Temporal tries again until a worker that can ask all of them takes the trials
     */
    public CellBatch.Result ask(
            StoredCampaign campaign,
            int epoch,
            JudgePolicy policy,
            Map<Integer, Trial> trials,
            CellBatch.Heartbeat heartbeat) {
        requireAll(policy);
        Map<Integer, Set<Integer>> ordinals = new TreeMap<>();
        trials.forEach((ordinal, trial) -> trial.questions()
                .keySet()
                .forEach(slot ->
                        ordinals.computeIfAbsent(slot, _ -> new TreeSet<>()).add(ordinal)));
        return new CellBatch(cells, running, worker.id(), heartbeat)
                .run(campaign.id(), epoch, CellKind.JUDGE, ordinals, new Judgement(campaign, policy, trials));
    }

    /** What is done with the calls of some trials. */
    private final class Judgement implements CellBatch.Work {

        private final StoredCampaign campaign;
        private final JudgePolicy policy;
        private final Map<Integer, Trial> trials;

        Judgement(StoredCampaign campaign, JudgePolicy policy, Map<Integer, Trial> trials) {
            this.campaign = campaign;
            this.policy = policy;
            this.trials = trials;
        }

        @Override
        public CellResult run(RunningCell cell, Claimed claimed) throws InterruptedException {
            return JudgeCells.this.run(call(cell, claimed, listeners.of(campaign)), claimed.lostRuns());
        }

        @Override
        public CellResult unexpected(RunningCell cell, Claimed claimed, Failure failure) {
            cell.recordBegins();
            return failed(call(cell, claimed, listeners.of(campaign).quietly()), failure, null);
        }

        @Override
        public void cancelled(RunningCell cell, Claimed claimed) {
            cell.recordBegins();
            JudgeCall call = call(cell, claimed, listeners.of(campaign).quietly());
            record(call, OutcomeStatus.CANCELLED, null, CAMPAIGN_CANCELLED);
        }

        private JudgeCall call(RunningCell cell, Claimed claimed, AgentEvents listener) {
            int slot = cell.key().slot();
            Trial trial = requireNonNull(trials.get(cell.key().ordinal()));
            JudgeQuestion question = requireNonNull(trial.questions().get(slot));
            Judge judge = policy.judgeOf(slot);
            JudgePreview reads = reads(policy, judge, trial, question);
            return new JudgeCall(campaign, judge.agent(), question, reads, cell, claimed.attempts() + 1, listener);
        }
    }

    private void requireAll(JudgePolicy policy) {
        policy.judges().stream()
                .map(Judge::agent)
                .filter(judge -> !models.canAsk(judge))
                .findFirst()
                .ifPresent(judge -> {
                    throw new AssayException(
                            ErrorCode.NO_WORKER,
                            "Worker " + worker.id() + " cannot ask provider " + judge.provider()
                                    + ", which a judge needs; give it the settings and the key of the others");
                });
    }

    private static JudgePreview reads(JudgePolicy policy, Judge judge, Trial trial, JudgeQuestion question) {
        JudgePreview reads = JudgePreview.of(
                trial.conversation(),
                question.shown().stream()
                        .map(branch -> requireNonNull(trial.responses().get(branch)))
                        .toList(),
                judge.maxContextTokens(),
                policy.systemPrompt(),
                policy.format());
        JudgeQuestion.Repair repair = question.repair();
        return repair == null ? reads : reads.repair(repair.reply(), repair.problem());
    }

    private CellResult run(JudgeCall call, int lostRuns) throws InterruptedException {
        if (call.attempt() == 1) {
            call.events().agentStart(call.judge().choice());
        }
        if (Placement.after(lostRuns) == Placement.NOWHERE) {
            call.cell().recordBegins();
            return failed(call, Placement.LOST, null);
        }
        try {
            Thread.sleep(Placement.patience(lostRuns));
            ResolvedModel model = models.of(call.judge());
            call.cell().permitAwaited(model.provider());
            try (Permits.Place place = permits.enter(call.campaign().id(), model.provider());
                    var _ = isolation.enter(lostRuns)) {
                return ask(call, model, place);
            }
        } catch (ModelException e) {
            // This worker cannot ask the provider at all.
            call.cell().recordBegins();
            return failed(call, e.failure(), e.retryAfter());
        } catch (InterruptedException e) {
            if (call.cell().stopped() == StopReason.CANCELLED) {
                call.cell().recordBegins();
                record(call, OutcomeStatus.CANCELLED, null, CAMPAIGN_CANCELLED);
            }
            throw e;
        }
    }

    /** Asks and stores what came of it, a failure too: until then the cell holds its place. */
    private CellResult ask(JudgeCall call, ResolvedModel model, Permits.Place place) throws InterruptedException {
        try {
            return answered(call, model, place);
        } catch (ModelException e) {
            call.cell().recordBegins();
            return failed(call, e.failure(), e.retryAfter());
        }
    }

    private CellResult answered(JudgeCall call, ResolvedModel model, Permits.Place place) throws InterruptedException {
        LedgeredClient client = new LedgeredClient(
                model, journal, place, new LedgeredClient.Request(call.cell(), call.attempt(), worker.id()));
        LoopEvents events = call.events();
        String warning = call.reads().warning();
        if (warning != null) {
            events.progress(warning);
        }
        events.turnStart(1);
        events.message(call.prompt());
        ModelReply reply = client.ask(call.request(model));
        reply.warnings().forEach(events::progress);
        events.answer(reply.message());
        events.turnEnd(1, reply, List.of());
        double seconds = client.elapsed().toNanos() / 1e9;
        call.cell().recordBegins();
        record(call, OutcomeStatus.COMPLETED, reply, null);
        return new CellResult.Closed(seconds);
    }

    private CellResult failed(JudgeCall call, Failure failure, @Nullable Duration retryAfter) {
        int maxAttempts = call.campaign().definition().limits().maxAttempts();
        long name = call.cell().key().hashCode();
        return switch (AttemptEnd.of(failure, call.attempt(), maxAttempts, retryAfter, name)) {
            case AttemptEnd.Retry(Duration delay) -> {
                WriteResult answer = journal.postpone(new Postpone(
                        call.cell().key(), call.cell().epoch(), worker.id(), call.attempt(), failure, delay));
                if (answer == WriteResult.CANCELLED) {
                    record(call, OutcomeStatus.CANCELLED, null, CAMPAIGN_CANCELLED);
                    yield new CellResult.Closed(0);
                }
                yield new CellResult.Retry(delay);
            }
            case AttemptEnd.Close(OutcomeStatus status) -> {
                record(call, status, null, failure);
                yield new CellResult.Closed(0);
            }
        };
    }

    private void record(JudgeCall call, OutcomeStatus status, @Nullable ModelReply reply, @Nullable Failure failure) {
        FinishedJudgeCall finished = call.finished(status, reply, failure);
        call.events().agentEnd(status, call.messages(reply), finished.usage(), finished.costUsd(), failure);
        journal.record(new RecordJudgeCall(call.campaign().id(), call.cell().epoch(), worker.id(), finished));
    }
}
