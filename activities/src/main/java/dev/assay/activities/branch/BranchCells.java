package dev.assay.activities.branch;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentLoop;
import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.agent.InterruptedLoopException;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.agent.LoopName;
import dev.assay.activities.agent.LoopRecord;
import dev.assay.activities.cell.CampaignEvents;
import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.Isolation;
import dev.assay.activities.cell.LedgeredClient;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.check.BoundedChecks;
import dev.assay.activities.compute.Computing;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.permit.Permits;
import dev.assay.activities.provider.ModelResolver;
import dev.assay.activities.provider.ResolvedModel;
import dev.assay.activities.tool.Toolbox;
import dev.assay.activities.tool.ToolboxException;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.outcome.AttemptEnd;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.Placement;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CaseTime;
import dev.assay.domain.tool.Toolset;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.Claims.Claimed;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import dev.assay.store.turn.TurnRepository;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the cells of branches: agent loop under a permit, then checks, then one write that closes the cell. */
@Singleton
public class BranchCells {

    private static final Failure BRANCH_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The branch was cancelled; the others went on.");

    private static final Failure CAMPAIGN_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The campaign was cancelled while the cell ran.");

    private static final LoopSoFar NOTHING_SAID = LoopSoFar.recorded(List.of(), List.of());

    private final Permits permits;
    private final RunJournal journal;
    private final ModelResolver models;
    private final WorkerIdentity worker;
    private final CampaignEvents listeners;
    private final Toolboxes toolboxes;
    private final TurnRepository turns;
    private final Isolation isolation;
    private final Computing computing;

    public BranchCells(
            Permits permits,
            RunJournal journal,
            ModelResolver models,
            WorkerIdentity worker,
            CampaignEvents listeners,
            Toolboxes toolboxes,
            TurnRepository turns,
            Isolation isolation,
            Computing computing) {
        this.permits = permits;
        this.journal = journal;
        this.models = models;
        this.worker = worker;
        this.listeners = listeners;
        this.toolboxes = toolboxes;
        this.turns = turns;
        this.isolation = isolation;
        this.computing = computing;
    }

    /** One attempt at one cell. */
    private record Attempt(
            StoredCampaign campaign, Case suiteCase, RunningCell cell, int number, AgentEvents listener) {

        Branch branch() {
            return campaign.definition().branches().get(cell.key().slot());
        }

        int ordinal() {
            return cell.key().ordinal();
        }

        int trial() {
            return campaign.grid().trial(ordinal());
        }

        LoopName loop() {
            int place = cell.key().slot();
            return new LoopName(campaign.sessionId(ordinal()), campaign.loopId(ordinal(), place, branch().segment()));
        }

        LoopEvents events() {
            return new LoopEvents(loop(), listener);
        }
    }

    /**
     * Makes one attempt at a cell.
     *
     * @param claimed what was counted before
     * @throws InterruptedException when the cell was stopped; it then stays open, unless its campaign was cancelled
     */
    public CellResult run(StoredCampaign campaign, Case suiteCase, RunningCell cell, Claimed claimed)
            throws InterruptedException {
        Attempt attempt = new Attempt(campaign, suiteCase, cell, claimed.attempts() + 1, listeners.of(campaign));
        if (claimed.attempts() == 0) {
            attempt.events().agentStart(attempt.branch().agent().choice());
        }
        if (campaign.cancelledBranches().contains(cell.key().slot())) {
            return cancelled(attempt, BRANCH_CANCELLED, null);
        }
        if (Placement.after(claimed.lostRuns()) == Placement.NOWHERE) {
            return failed(attempt, Placement.LOST, null, null);
        }
        try {
            Thread.sleep(Placement.patience(claimed.lostRuns()));
            ResolvedModel model = models.of(attempt.branch().agent());
            attempt.cell().permitAwaited(model.provider());
            try (Permits.Place place = permits.enter(campaign.id(), model.provider());
                    var _ = isolation.enter(claimed.lostRuns())) {
                return ask(attempt, model, place);
            }
        } catch (ModelException e) {
            // This worker cannot ask the provider at all.
            cell.recordBegins();
            return failed(attempt, e.failure(), e.retryAfter(), null);
        } catch (InterruptedException e) {
            return stopped(attempt, e);
        }
    }

    /** Counts an attempt that ended as nobody expected, and closes the cell after the last one. What was said may be at fault: it is left out. */
    public CellResult unexpected(
            StoredCampaign campaign, Case suiteCase, RunningCell cell, Claimed claimed, Failure failure) {
        cell.recordBegins();
        AgentEvents listener = listeners.of(campaign).quietly();
        Attempt attempt = new Attempt(campaign, suiteCase, cell, claimed.attempts() + 1, listener);
        return failed(attempt, failure, null, NOTHING_SAID);
    }

    /** Closes a cell that did not end before its campaign was cancelled: what its turns said and used is kept. */
    public void cancelled(StoredCampaign campaign, Case suiteCase, RunningCell cell, Claimed claimed) {
        // It may not have begun: a loop that has is told to have ended with its evaluation.
        AgentEvents listener = listeners.of(campaign).quietly();
        cancelled(new Attempt(campaign, suiteCase, cell, claimed.attempts() + 1, listener), CAMPAIGN_CANCELLED, null);
    }

    /** Records a cell that was cancelled; any other stays open. */
    private CellResult stopped(Attempt attempt, InterruptedException stop) throws InterruptedException {
        LoopSoFar soFar = stop instanceof InterruptedLoopException loop ? loop.soFar() : null;
        if (attempt.cell().stopped() == StopReason.BRANCH_CANCELLED) {
            return cancelled(attempt, BRANCH_CANCELLED, soFar);
        }
        if (attempt.cell().stopped() == StopReason.CANCELLED) {
            cancelled(attempt, CAMPAIGN_CANCELLED, soFar);
        }
        throw stop;
    }

    private CellResult cancelled(Attempt attempt, Failure reason, @Nullable LoopSoFar soFar) {
        return closed(attempt, OutcomeStatus.CANCELLED, reason, soFar);
    }

    /** Asks and stores what came of it, a failure too: until then the cell holds its place. */
    private CellResult ask(Attempt attempt, ResolvedModel model, Permits.Place place) throws InterruptedException {
        try {
            return answered(attempt, model, place);
        } catch (AgentLoopException e) {
            attempt.cell().recordBegins();
            return failed(attempt, e.failure(), e.retryAfter(), e.soFar());
        } catch (ToolboxException e) {
            attempt.cell().recordBegins();
            return failed(attempt, e.failure(), null, null);
        }
    }

    private CellResult answered(Attempt attempt, ResolvedModel model, Permits.Place place) throws InterruptedException {
        LedgeredClient client = new LedgeredClient(
                model, journal, place, new LedgeredClient.Request(attempt.cell(), attempt.number(), worker.id()));
        AgentResult result = run(attempt, model, client);
        double seconds = client.elapsed().toNanos() / 1e9;
        attempt.cell().recordBegins();
        List<CheckResult> checks = new BoundedChecks(computing)
                .evaluate(attempt.suiteCase().checks(), result.said().response());
        record(attempt, result.status(), result.failure(), result.said(), checks);
        return new CellResult.Closed(seconds);
    }

    private AgentResult run(Attempt attempt, ResolvedModel model, LedgeredClient client) throws InterruptedException {
        LoopRecord record = record(attempt);
        Toolset toolset = attempt.branch().tools();
        Instant otherwise = attempt.campaign().createdAt();
        try (Toolbox toolbox = toolboxes.open(toolset, () -> CaseTime.of(attempt.suiteCase(), otherwise))) {
            return new AgentLoop(client.nanoTime(), attempt.listener(), toolbox, record, computing)
                    .run(task(attempt, model), client);
        }
    }

    /** A loop without tools has one turn, of which the outcome is the record. */
    private LoopRecord record(Attempt attempt) throws InterruptedException {
        if (attempt.branch().tools().isEmpty()) {
            return LoopRecord.NONE;
        }
        // Before a server of tools says anything: it may be what ends this worker.
        journal.begin(new Begin(attempt.cell().key(), attempt.cell().epoch(), worker.id()));
        attempt.cell().begun();
        return new RecordedLoop(
                attempt.cell(), worker.id(), journal, turns.find(attempt.cell().key()));
    }

    private static AgentTask task(Attempt attempt, ResolvedModel model) {
        return new AgentTask(
                attempt.loop(),
                attempt.branch(),
                attempt.suiteCase().context(),
                attempt.suiteCase().prompts(),
                attempt.trial(),
                attempt.number(),
                attempt.campaign().definition().limits().timeout(),
                model.maxOutputTokens());
    }

    /** @param soFar null: what is on record */
    private CellResult failed(
            Attempt attempt, Failure failure, @Nullable Duration retryAfter, @Nullable LoopSoFar soFar) {
        int maxAttempts = attempt.campaign().definition().limits().maxAttempts();
        long name = attempt.cell().key().hashCode();
        return switch (AttemptEnd.of(failure, attempt.number(), maxAttempts, retryAfter, name)) {
            case AttemptEnd.Retry(Duration delay) -> {
                WriteResult answer = journal.postpone(new Postpone(
                        attempt.cell().key(), attempt.cell().epoch(), worker.id(), attempt.number(), failure, delay));
                if (answer == WriteResult.CANCELLED) {
                    yield cancelled(attempt, CAMPAIGN_CANCELLED, soFar);
                }
                attempt.events()
                        .progress("Attempt %d of %d failed and is made again in %d ms: %s"
                                .formatted(attempt.number(), maxAttempts, delay.toMillis(), failure.message()));
                yield new CellResult.Retry(delay);
            }
            case AttemptEnd.Close(OutcomeStatus status) -> closed(attempt, status, failure, soFar);
        };
    }

    /** Closes a cell without an answer; what its turns said and used is kept. */
    private CellResult closed(Attempt attempt, OutcomeStatus status, Failure failure, @Nullable LoopSoFar soFar) {
        attempt.cell().recordBegins();
        record(attempt, status, failure, soFar == null ? recorded(attempt) : soFar, List.of());
        return new CellResult.Closed(0);
    }

    private LoopSoFar recorded(Attempt attempt) {
        return LoopSoFar.recorded(
                attempt.suiteCase().prompts(),
                attempt.branch().tools().isEmpty()
                        ? List.of()
                        : turns.find(attempt.cell().key()));
    }

    private void record(
            Attempt attempt,
            OutcomeStatus status,
            @Nullable Failure failure,
            LoopSoFar said,
            List<CheckResult> checks) {
        Outcome outcome = new Outcome(
                attempt.ordinal(),
                attempt.cell().key().slot(),
                attempt.loop().loopId(),
                status,
                said.newMessages(),
                attempt.suiteCase().context().size(),
                said.response(),
                said.usage(),
                said.costUsd(),
                said.latency(),
                attempt.number(),
                failure,
                checks);
        attempt.events().agentEnd(status, said.newMessages(), said.usage(), said.costUsd(), failure);
        journal.record(new RecordOutcome(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                worker.id(),
                attempt.campaign().grid().caseIndex(attempt.ordinal()),
                attempt.trial(),
                outcome,
                TrialVerdict.of(outcome).passed(),
                said.warnings()));
    }
}
