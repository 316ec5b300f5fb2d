package dev.assay.activities.cell;

import dev.assay.activities.agent.AgentEvents;
import dev.assay.activities.agent.AgentLoop;
import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.agent.AgentProgress;
import dev.assay.activities.agent.AgentResult;
import dev.assay.activities.agent.AgentTask;
import dev.assay.activities.agent.Asking;
import dev.assay.activities.agent.Askings;
import dev.assay.activities.agent.InterruptedLoopException;
import dev.assay.activities.agent.LoopEvents;
import dev.assay.activities.agent.LoopName;
import dev.assay.activities.agent.LoopRecord;
import dev.assay.activities.check.BoundedChecks;
import dev.assay.activities.compute.Computing;
import dev.assay.activities.provider.ModelException;
import dev.assay.activities.tool.Toolbox;
import dev.assay.activities.tool.ToolboxException;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.campaign.Branch;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.evaluation.AttemptEnd;
import dev.assay.domain.evaluation.Outcome;
import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.suite.Case;
import dev.assay.domain.tool.CaseTime;
import dev.assay.domain.tool.Toolset;
import dev.assay.domain.usage.Usage;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.RunJournal;
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

    private final Permits permits;
    private final RunJournal journal;
    private final Askings askings;
    private final WorkerIdentity worker;
    private final CampaignEvents listeners;
    private final Toolboxes toolboxes;
    private final TurnRepository turns;
    private final Computing computing;

    public BranchCells(
            Permits permits,
            RunJournal journal,
            Askings askings,
            WorkerIdentity worker,
            CampaignEvents listeners,
            Toolboxes toolboxes,
            TurnRepository turns,
            Computing computing) {
        this.permits = permits;
        this.journal = journal;
        this.askings = askings;
        this.worker = worker;
        this.listeners = listeners;
        this.toolboxes = toolboxes;
        this.turns = turns;
        this.computing = computing;
    }

    /** One attempt at one cell. */
    private record Attempt(
            StoredCampaign campaign, Case suiteCase, RunningCell cell, int number, AgentEvents listener) {

        Branch branch() {
            return campaign.definition().branches().get(cell.key().member());
        }

        int ordinal() {
            return cell.key().ordinal();
        }

        int trial() {
            return campaign.grid().trial(ordinal());
        }

        LoopName loop() {
            int place = cell.key().member();
            return new LoopName(campaign.sessionId(ordinal()), campaign.loopId(ordinal(), place, branch().segment()));
        }

        LoopEvents events() {
            return new LoopEvents(loop(), listener);
        }
    }

    /**
     * Makes one attempt at a cell.
     *
     * @param attempts attempts that were counted before
     * @throws InterruptedException when the cell was stopped; it then stays open, unless its campaign was cancelled
     */
    public CellResult run(StoredCampaign campaign, Case suiteCase, RunningCell cell, int attempts)
            throws InterruptedException {
        Attempt attempt = new Attempt(campaign, suiteCase, cell, attempts + 1, listeners.of(campaign));
        if (attempts == 0) {
            attempt.events().agentStart(attempt.branch().agent().choice());
        }
        if (campaign.cancelledBranches().contains(cell.key().member())) {
            return cancelled(attempt, BRANCH_CANCELLED, null);
        }
        try {
            Asking asking = askings.of(attempt.branch().agent());
            attempt.cell().permitAwaited(asking.provider());
            try (Permits.Place place = permits.enter(campaign.id(), asking.provider())) {
                return ask(attempt, asking, place);
            }
        } catch (ModelException e) {
            // This worker cannot ask the provider at all.
            cell.recordBegins();
            return failed(attempt, e.failure(), e.retryAfter(), null);
        } catch (InterruptedException e) {
            return stopped(attempt, e);
        }
    }

    /** Records a cell that was cancelled; any other stays open. */
    private CellResult stopped(Attempt attempt, InterruptedException stop) throws InterruptedException {
        AgentProgress soFar = stop instanceof InterruptedLoopException loop ? loop.progress() : null;
        if (attempt.cell().stopped() == StopReason.BRANCH_CANCELLED) {
            return cancelled(attempt, BRANCH_CANCELLED, soFar);
        }
        if (attempt.cell().stopped() == StopReason.CANCELLED) {
            cancelled(attempt, CAMPAIGN_CANCELLED, soFar);
        }
        throw stop;
    }

    private CellResult cancelled(Attempt attempt, Failure reason, @Nullable AgentProgress soFar) {
        attempt.cell().recordBegins();
        recordUnfinished(attempt, OutcomeStatus.CANCELLED, reason, soFar);
        return new CellResult.Closed(0);
    }

    /** Asks and stores what came of it, a failure too: until then the cell holds its place. */
    private CellResult ask(Attempt attempt, Asking asking, Permits.Place place) throws InterruptedException {
        try {
            return answered(attempt, asking, place);
        } catch (AgentLoopException e) {
            attempt.cell().recordBegins();
            return failed(attempt, e.failure(), e.retryAfter(), e.progress());
        } catch (ToolboxException e) {
            attempt.cell().recordBegins();
            return failed(attempt, e.failure(), null, null);
        } catch (ModelException e) {
            attempt.cell().recordBegins();
            return failed(attempt, e.failure(), e.retryAfter(), null);
        }
    }

    private CellResult answered(Attempt attempt, Asking asking, Permits.Place place) throws InterruptedException {
        LedgeredClient client = new LedgeredClient(
                asking, journal, place, new LedgeredClient.Request(attempt.cell(), attempt.number(), worker.id()));
        AgentResult result = run(attempt, asking, client);
        double seconds = client.elapsed().toNanos() / 1e9;
        attempt.cell().recordBegins();
        List<CheckResult> checks =
                new BoundedChecks(computing).evaluate(attempt.suiteCase().checks(), result.response());
        record(attempt, finished(attempt, result, checks), result.warnings());
        return new CellResult.Closed(seconds);
    }

    private AgentResult run(Attempt attempt, Asking asking, LedgeredClient client) throws InterruptedException {
        Toolset toolset = attempt.branch().tools();
        Instant otherwise = attempt.campaign().createdAt();
        try (Toolbox toolbox = toolboxes.open(toolset, () -> CaseTime.of(attempt.suiteCase(), otherwise))) {
            return new AgentLoop(client.nanoTime(), attempt.listener(), toolbox, record(attempt), computing)
                    .run(task(attempt, asking), client);
        }
    }

    /** A loop without tools has one turn, of which the outcome is the record. */
    private LoopRecord record(Attempt attempt) {
        return attempt.branch().tools().isEmpty()
                ? LoopRecord.NONE
                : new RecordedLoop(
                        attempt.cell(),
                        worker.id(),
                        journal,
                        turns.find(attempt.cell().key()));
    }

    private static AgentTask task(Attempt attempt, Asking asking) {
        return new AgentTask(
                attempt.loop(),
                attempt.branch(),
                attempt.suiteCase().context(),
                attempt.suiteCase().prompts(),
                attempt.trial(),
                attempt.number(),
                attempt.campaign().definition().limits().timeout(),
                asking.maxOutputTokens());
    }

    private CellResult failed(
            Attempt attempt, Failure failure, @Nullable Duration retryAfter, @Nullable AgentProgress soFar) {
        int maxAttempts = attempt.campaign().definition().limits().maxAttempts();
        long name = attempt.cell().key().hashCode();
        return switch (AttemptEnd.of(failure, attempt.number(), maxAttempts, retryAfter, name)) {
            case AttemptEnd.Retry(Duration delay) -> {
                attempt.events()
                        .progress("Attempt %d of %d failed and is made again in %d ms: %s"
                                .formatted(attempt.number(), maxAttempts, delay.toMillis(), failure.message()));
                journal.postpone(new Postpone(
                        attempt.cell().key(), attempt.cell().epoch(), worker.id(), attempt.number(), failure, delay));
                yield new CellResult.Retry(delay);
            }
            case AttemptEnd.Close(OutcomeStatus status) -> {
                recordUnfinished(attempt, status, failure, soFar);
                yield new CellResult.Closed(0);
            }
        };
    }

    private static Outcome finished(Attempt attempt, AgentResult result, List<CheckResult> checks) {
        return new Outcome(
                attempt.ordinal(),
                attempt.cell().key().member(),
                attempt.loop().loopId(),
                result.status(),
                result.newMessages(),
                result.originalContextLength(),
                result.response(),
                result.usage(),
                result.costUsd(),
                result.latency(),
                attempt.number(),
                result.failure(),
                checks);
    }

    /** An outcome without an answer; what the turns before the failure said and used is kept. */
    private void recordUnfinished(
            Attempt attempt, OutcomeStatus status, Failure failure, @Nullable AgentProgress soFar) {
        Outcome outcome = new Outcome(
                attempt.ordinal(),
                attempt.cell().key().member(),
                attempt.loop().loopId(),
                status,
                soFar == null ? List.of() : soFar.newMessages(),
                attempt.suiteCase().context().size(),
                soFar == null ? "" : soFar.response(),
                soFar == null ? Usage.NONE : soFar.usage(),
                soFar == null ? null : soFar.costUsd(),
                soFar == null ? Duration.ZERO : soFar.latency(),
                attempt.number(),
                failure,
                List.of());
        record(attempt, outcome, soFar == null ? List.of() : soFar.warnings());
    }

    private void record(Attempt attempt, Outcome outcome, List<String> warnings) {
        attempt.events()
                .agentEnd(
                        outcome.status(), outcome.newMessages(), outcome.usage(), outcome.costUsd(), outcome.failure());
        journal.record(new RecordOutcome(
                attempt.campaign().id(),
                attempt.cell().epoch(),
                worker.id(),
                attempt.campaign().grid().caseIndex(attempt.ordinal()),
                attempt.trial(),
                outcome,
                TrialVerdict.of(outcome).passed(),
                warnings));
    }
}
