package dev.assay.activities.call;

import dev.assay.activities.cell.CellBatch;
import dev.assay.activities.cell.CellResult;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.cell.RunningCells;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.cell.WorkerIdentity;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.outage.Outages;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.SignalDecision;
import dev.assay.domain.outcome.AttemptEnd;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.Placement;
import dev.assay.domain.stop.NeededCells;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellRepository;
import dev.assay.store.cell.Claims.Claimed;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.GiveBack;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.journal.RunJournal;
import dev.assay.store.journal.WriteResult;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The path of paid cells of every kind from claim to record: permit, ledger, request, retry, one write that closes the cell. The
 * cell holds its place among the calls until the result of an attempt is stored, a failure too.
 */
@Singleton
public class PaidCells {

    private static final Logger LOG = LoggerFactory.getLogger(PaidCells.class);
    private static final Duration GIVE_BACK_WAIT = Duration.ofSeconds(5);

    /** The failure of a cell whose branch a user cancelled. */
    public static final Failure BRANCH_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The branch was cancelled; the others went on.");

    private static final Failure CAMPAIGN_CANCELLED =
            new Failure(ErrorCode.CANCELLED, "The campaign was cancelled while the cell ran.");

    private final CellRepository cells;
    private final RunningCells running;
    private final Permits permits;
    private final RunJournal journal;
    private final ModelResolver models;
    private final WorkerIdentity worker;
    private final CampaignEvents listeners;
    private final Isolation isolation;
    private final WorkerMetrics metrics;
    private final Outages outages;
    private final HeldCells held;

    public PaidCells(
            CellRepository cells,
            RunningCells running,
            Permits permits,
            RunJournal journal,
            ModelResolver models,
            WorkerIdentity worker,
            CampaignEvents listeners,
            Isolation isolation,
            WorkerMetrics metrics,
            Outages outages,
            HeldCells held) {
        this.cells = cells;
        this.running = running;
        this.permits = permits;
        this.journal = journal;
        this.models = models;
        this.worker = worker;
        this.listeners = listeners;
        this.isolation = isolation;
        this.metrics = metrics;
        this.outages = outages;
        this.held = held;
    }

    /**
     * Makes an attempt at each open cell, all concurrently; see {@link CellBatch#run}.
     *
     * @param ordinals the trials of each slot
     * @param calls what the cells ask
     */
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
            return PaidCells.this.run(attempt, calls.of(attempt, listeners.of(campaign)));
        }

        @Override
        public CellResult unexpected(RunningCell cell, Claimed claimed, Failure failure) {
            PaidCall call = unheard(cell, claimed);
            call.forget();
            return failed(attempt(cell, claimed), call, failure, null);
        }

        @Override
        public void stopped(RunningCell cell, Claimed claimed) {
            giveBack(attempt(cell, claimed));
        }

        @Override
        public void cancelled(RunningCell cell, Claimed claimed) {
            closed(attempt(cell, claimed), unheard(cell, claimed), OutcomeStatus.CANCELLED, CAMPAIGN_CANCELLED);
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
                    claimed.outages());
        }
    }

    private CellResult run(CellAttempt attempt, PaidCall call) throws InterruptedException {
        ModelPool pool = ModelPool.of(call.agent().pool(), call.agent().name().model());
        attempt.cell().asks(pool);
        if (!outages.mayCall(pool, attempt.cell().key()) && attempt.waitsFor(outages.age(pool))) {
            return new CellResult.Held(pool);
        }
        if (attempt.isFirst()) {
            call.begins();
        }
        Failure cancelled = call.refusal();
        if (cancelled != null) {
            return closed(attempt, call, OutcomeStatus.CANCELLED, cancelled);
        }
        Failure refused = attempt.refusal();
        if (refused != null) {
            return closed(attempt, call, OutcomeStatus.MODEL_ERROR, refused);
        }
        try {
            Thread.sleep(Placement.patience(attempt.lostRuns()));
            ResolvedModel model = models.of(call.agent(), new RunnableKind.Asking(attempt.queue(), call.vars()));
            attempt.cell().permitAwaited(model.pool());
            Failed failed;
            try (Permits.Place place = permits.enter(
                            attempt.campaign().id(),
                            model.pool(),
                            attempt.campaign().isUrgent(),
                            attempt.position());
                    var _ = isolation.enter(attempt.lostRuns())) {
                if (!call.isNeeded()) {
                    return closed(attempt, call, OutcomeStatus.NOT_NEEDED, NeededCells.NOT_NEEDED);
                }
                LedgeredClient client = new LedgeredClient(
                        model.metered(metrics),
                        journal,
                        place,
                        new LedgeredClient.Request(attempt, worker.id()),
                        outages);
                try {
                    return ask(attempt, call, model, client);
                } catch (CallFailedException e) {
                    if (e.sign().signal() == null || !attempt.waitsFor(outages.age(pool))) {
                        return failed(attempt, call, e.failure(), e.retryAfter());
                    }
                    failed = new Failed(e, client.lastRequestId());
                }
            }
            // Without its place: others, whose ends decide about it, may go on.
            return signalled(attempt, call, pool, failed);
        } catch (CallFailedException e) {
            // This worker cannot ask the provider at all.
            return failed(attempt, call, e.failure(), e.retryAfter());
        } catch (InterruptedException e) {
            return stopped(attempt, call, e);
        }
    }

    /**
     * A call that ended with a signal of an outage.
     *
     * @param requestId its row in the ledger
     */
    private record Failed(CallFailedException why, long requestId) {}

    private CellResult signalled(CellAttempt attempt, PaidCall call, ModelPool pool, Failed failed) {
        long begin = System.nanoTime();
        boolean isExcused = false;
        try {
            isExcused = outages.isExcused(pool, attempt.cell().key(), patience(attempt, failed.why()));
        } catch (InterruptedException _) {
            // Whoever stops the cell gets an attempt that failed.
            LOG.debug("The outage of {} was not waited for", pool);
        }
        attempt.cell().recordBegins();
        if (isExcused) {
            Excuse excuse = new Excuse(failed.requestId(), attempt.key(worker.id()));
            if (journal.excuse(excuse) == WriteResult.GRANTED) {
                return new CellResult.Held(pool);
            }
        }
        Duration waited = Duration.ofNanos(System.nanoTime() - begin);
        return failed(attempt, call, failed.why().failure(), failed.why().retryAfter(), waited);
    }

    /** How long it is left open whether a failure was an attempt. One that is repeated waits anyhow. */
    private static Duration patience(CellAttempt attempt, CallFailedException why) {
        return switch (end(attempt, why.failure(), why.retryAfter())) {
            case AttemptEnd.Retry(Duration delay) when delay.compareTo(SignalDecision.LONGEST) < 0 -> delay;
            case AttemptEnd.Retry _, AttemptEnd.Close _ -> SignalDecision.LONGEST;
        };
    }

    private static AttemptEnd end(CellAttempt attempt, Failure failure, @Nullable Duration retryAfter) {
        long name = attempt.cell().key().hashCode();
        return AttemptEnd.of(failure, attempt.number(), attempt.mostAttempts(), retryAfter, name);
    }

    private CellResult ask(CellAttempt attempt, PaidCall call, ResolvedModel model, LedgeredClient client)
            throws InterruptedException {
        Runnable recording = call.ask(model, client);
        double seconds = client.elapsed().toNanos() / 1e9;
        attempt.cell().recordBegins();
        recording.run();
        return new CellResult.Closed(seconds);
    }

    /** Closes a cell that was cancelled; any other stays open. */
    private CellResult stopped(CellAttempt attempt, PaidCall call, InterruptedException stop)
            throws InterruptedException {
        if (attempt.cell().stopped() == StopReason.BRANCH_CANCELLED) {
            return closed(attempt, call, OutcomeStatus.CANCELLED, BRANCH_CANCELLED);
        }
        if (attempt.cell().stopped() == StopReason.CANCELLED) {
            closed(attempt, call, OutcomeStatus.CANCELLED, CAMPAIGN_CANCELLED);
        }
        throw stop;
    }

    /**
     * Gives the attempt back before the cell is freed. While PostgreSQL is away that takes longer; the cell is not freed then either,
     * and the journal writes it later.
     */
    private void giveBack(CellAttempt attempt) {
        if (!attempt.cell().hasBegun()) {
            return;
        }
        try {
            var _ = journal.giveBack(new GiveBack(attempt.key(worker.id())))
                    .orTimeout(GIVE_BACK_WAIT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
            LOG.info(
                    "Attempt {} at cell {} is given back later",
                    attempt.number(),
                    attempt.cell().key());
        }
    }

    private CellResult failed(CellAttempt attempt, PaidCall call, Failure failure, @Nullable Duration retryAfter) {
        return failed(attempt, call, failure, retryAfter, Duration.ZERO);
    }

    /** @param waited since it failed */
    private CellResult failed(
            CellAttempt attempt, PaidCall call, Failure failure, @Nullable Duration retryAfter, Duration waited) {
        attempt.cell().recordBegins();
        int maxAttempts = attempt.mostAttempts();
        return switch (end(attempt, failure, retryAfter)) {
            case AttemptEnd.Retry(Duration whole) -> {
                Duration delay = whole.compareTo(waited) > 0 ? whole.minus(waited) : Duration.ZERO;
                WriteResult answer = journal.postpone(
                        new Postpone(attempt.cell().claim(worker.id()), attempt.number(), failure, delay));
                if (answer == WriteResult.CANCELLED) {
                    yield closed(attempt, call, OutcomeStatus.CANCELLED, CAMPAIGN_CANCELLED);
                }
                metrics.retried(call.agent().provider(), failure.code());
                call.repeats(failure, maxAttempts, delay);
                yield new CellResult.Retry(delay);
            }
            case AttemptEnd.Close(OutcomeStatus status) -> closed(attempt, call, status, failure);
        };
    }

    private CellResult closed(CellAttempt attempt, PaidCall call, OutcomeStatus status, Failure failure) {
        attempt.cell().recordBegins();
        call.close(status, failure);
        return new CellResult.Closed(0);
    }
}
