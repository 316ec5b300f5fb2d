package dev.assay.activities.call;

import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.outage.Outages;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.Placement;
import dev.assay.domain.stop.NeededCells;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims.Claimed;
import dev.assay.store.journal.RunJournal;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The path of paid cells of every kind from claim to record: permit, ledger, request, retry, one write that closes the cell. The
 * cell holds its place among the calls until the result of an attempt is stored, a failure too.
 */
@Singleton
public class PaidCells {

    /** The failure of a cell whose branch a user cancelled. */
    public static final Failure BRANCH_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The branch was cancelled; the others went on.");

    private final CellRepository cells;
    private final RunningCells running;
    private final Permits permits;
    private final RunJournal journal;
    private final BudgetQueue budgets;
    private final ModelResolver models;
    private final WorkerIdentity worker;
    private final CampaignEvents listeners;
    private final Isolation isolation;
    private final WorkerMetrics metrics;
    private final Outages outages;
    private final HeldCells held;
    private final UnansweredAttempts unanswered;

    public PaidCells(
            CellRepository cells,
            RunningCells running,
            Permits permits,
            RunJournal journal,
            BudgetQueue budgets,
            ModelResolver models,
            WorkerIdentity worker,
            CampaignEvents listeners,
            Isolation isolation,
            WorkerMetrics metrics,
            Outages outages,
            HeldCells held,
            UnansweredAttempts unanswered) {
        this.cells = cells;
        this.running = running;
        this.permits = permits;
        this.journal = journal;
        this.budgets = budgets;
        this.models = models;
        this.worker = worker;
        this.listeners = listeners;
        this.isolation = isolation;
        this.metrics = metrics;
        this.outages = outages;
        this.held = held;
        this.unanswered = unanswered;
    }

    /** Makes an attempt at each open cell, all concurrently; see {@link CellBatch#run}. */
    public CellBatch.Result run(
            StoredCampaign campaign,
            int epoch,
            CellKind kind,
            Map<Integer, ? extends Collection<Integer>> ordinals,
            PaidCalls calls,
            CellBatch.Heartbeat heartbeat) {
        CellBatch batch = new CellBatch(cells, running, worker.id(), heartbeat);
        RunKey run = new RunKey(campaign.id(), epoch);
        CellBatch.Work work = new Work(campaign, calls);
        return held.untilBack(
                campaign,
                run,
                batch.run(run, kind, ordinals, work),
                cells -> batch.run(run, kind, bySlot(cells), work),
                heartbeat);
    }

    private static Map<Integer, Set<Integer>> bySlot(Collection<CellKey> cells) {
        return cells.stream()
                .collect(
                        Collectors.groupingBy(CellKey::slot, Collectors.mapping(CellKey::ordinal, Collectors.toSet())));
    }

    /** The work on the cells of one batch. */
    private final class Work implements CellBatch.Work {

        private final StoredCampaign campaign;
        private final PaidCalls calls;

        Work(StoredCampaign campaign, PaidCalls calls) {
            this.campaign = campaign;
            this.calls = calls;
        }

        @Override
        public CellResult run(RunningCell cell, Claimed claimed) throws InterruptedException {
            CellAttempt attempt = attempt(cell, claimed);
            // For what this thread logs; it runs this cell only.
            MDC.put("campaign", campaign.id());
            MDC.put("trial", String.valueOf(attempt.trial()));
            while (true) {
                CellResult result = PaidCells.this.run(attempt, calls.of(attempt, listeners.of(campaign)));
                if (result != null) {
                    return result;
                }
                attempt = attempt.again();
            }
        }

        @Override
        public CellResult unexpected(RunningCell cell, Claimed claimed, Failure failure) {
            PaidCall call = unheard(cell, claimed);
            call.forget();
            return unanswered.failed(attempt(cell, claimed), call, failure, null);
        }

        @Override
        public void stopped(RunningCell cell, Claimed claimed) {
            unanswered.giveBack(attempt(cell, claimed));
        }

        @Override
        public void cancelled(RunningCell cell, Claimed claimed) {
            unanswered.cancelled(attempt(cell, claimed), unheard(cell, claimed));
        }

        /** A call without events. The loop may not have begun; the end of its evaluation ends one that has. */
        private PaidCall unheard(RunningCell cell, Claimed claimed) {
            return calls.of(attempt(cell, claimed), listeners.of(campaign).quietly());
        }

        private CellAttempt attempt(RunningCell cell, Claimed claimed) {
            return new CellAttempt(
                    campaign,
                    cell,
                    claimed.attempts() + 1,
                    claimed.lostAttempts(),
                    claimed.lostRuns(),
                    claimed.excused());
        }
    }

    /** Makes an attempt; null: it counted for nothing, and another one follows at once with another key. */
    private @Nullable CellResult run(CellAttempt attempt, PaidCall call) throws InterruptedException {
        AttemptGate gate = new AttemptGate(attempt, call, outages);
        Failure cancelled = call.refusal();
        Failure refused = attempt.refusal();
        boolean isOpen = cancelled == null && refused == null;
        if (isOpen && call.mayReuse()) {
            CellResult reused = reused(attempt, call);
            if (reused != null) {
                return reused;
            }
        }
        // A cell that nothing is sent for does not wait for its provider.
        if (isOpen && gate.isShut()) {
            return gate.held();
        }
        if (attempt.isFirst()) {
            call.begins();
        }
        if (cancelled != null) {
            return unanswered.closed(attempt, call, OutcomeStatus.CANCELLED, cancelled);
        }
        if (refused != null) {
            return unanswered.closed(attempt, call, OutcomeStatus.MODEL_ERROR, refused);
        }
        try {
            Thread.sleep(Placement.patience(attempt.lostRuns()));
            return asked(attempt, call, gate);
        } catch (CallFailedException e) {
            // This worker cannot ask the provider at all.
            return unanswered.failed(attempt, call, e);
        } catch (InterruptedException e) {
            return unanswered.stopped(attempt, call, e);
        }
    }

    /** Ends a cell without asking; null: it is asked. */
    private @Nullable CellResult reused(CellAttempt attempt, PaidCall call) throws InterruptedException {
        try {
            if (!call.isNeeded()) {
                return unanswered.closed(attempt, call, OutcomeStatus.NOT_NEEDED, NeededCells.NOT_NEEDED);
            }
            call.prepare();
            return call.reuse() ? new CellResult.Closed(0) : null;
        } catch (CallFailedException e) {
            return unanswered.failed(attempt, call, e);
        } catch (InterruptedException e) {
            return unanswered.stopped(attempt, call, e);
        }
    }

    private @Nullable CellResult asked(CellAttempt attempt, PaidCall call, AttemptGate gate)
            throws InterruptedException {
        call.prepare();
        ResolvedModel model = models.of(call.agent(), RunnableKind.Asking.of(attempt, call.agent(), call.vars()));
        attempt.cell().permitAwaited(model.pool());
        CallFailedException failure;
        long requestId;
        try (Permits.Place place = permits.enter(
                        attempt.campaign().id(),
                        model.limits().route(),
                        attempt.campaign().isUrgent(),
                        attempt.position());
                var _ = isolation.enter(attempt.lostRuns())) {
            if (!call.isNeeded()) {
                return unanswered.closed(attempt, call, OutcomeStatus.NOT_NEEDED, NeededCells.NOT_NEEDED);
            }
            LedgeredClient client = new LedgeredClient(
                    model.metered(metrics),
                    journal,
                    budgets,
                    place,
                    new LedgeredClient.Request(attempt, worker.id()),
                    gate);
            try {
                return ask(attempt, call, model, client);
            } catch (CallFailedException e) {
                if (gate.isForAnotherKey(e) && unanswered.isForAnotherKey(attempt, client.lastRequestId())) {
                    return null;
                }
                if (!gate.isUndecided(e)) {
                    return unanswered.failed(attempt, call, gate, e, client.lastRequestId());
                }
                failure = e;
                requestId = client.lastRequestId();
            }
        }
        // Without its place: others, whose ends decide about it, may go on.
        return unanswered.undecided(attempt, call, gate, failure, requestId);
    }

    private static CellResult ask(CellAttempt attempt, PaidCall call, ResolvedModel model, LedgeredClient client)
            throws InterruptedException {
        Runnable recording = call.ask(model, client);
        double seconds = client.elapsed().toNanos() / 1e9;
        attempt.cell().recordBegins();
        recording.run();
        return new CellResult.Closed(seconds);
    }
}
