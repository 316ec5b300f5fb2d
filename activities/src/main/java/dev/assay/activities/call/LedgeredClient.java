package dev.assay.activities.call;

import dev.assay.activities.agent.AgentLoopException;
import dev.assay.activities.cell.RunningCell;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.outage.PoolCall;
import dev.assay.activities.permit.Permits;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Content;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Price;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.NoAttempt;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.RunJournal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks a model for one attempt of one cell. It writes each request into the ledger, sends it under a permit, and
 * settles it after. The ledger comes first, so that a permit is held for the time on the wire only.
 */
public final class LedgeredClient implements ModelClient {

    /** The interval, in milliseconds, at which a request looks whether the reservations in its way were settled. */
    private static final long BUDGET_WAIT_MS = 100;

    private final ResolvedModel model;
    private final RunJournal journal;
    private final Permits.Place place;
    private final Request request;
    private final AttemptGate gate;
    private final CellClock clock = new CellClock();
    private long lastRequestId;

    /**
     * The data that all requests of the attempt share.
     *
     * @param attempt that asks
     * @param workerId who asks
     */
    public record Request(CellAttempt attempt, String workerId) {

        RunningCell cell() {
            return attempt.cell();
        }

        AttemptKey key() {
            return attempt.key(workerId);
        }
    }

    /**
     * A client for one attempt, whose clock starts now.
     *
     * @param place that the cell holds until its outcome is stored
     * @param gate that each request passes
     */
    LedgeredClient(ResolvedModel model, RunJournal journal, Permits.Place place, Request request, AttemptGate gate) {
        this.model = model;
        this.journal = journal;
        this.place = place;
        this.request = request;
        this.gate = gate;
    }

    /** The id of the attempt's last request; 0: there was none. */
    long lastRequestId() {
        return lastRequestId;
    }

    /** The time of the attempt, without its waits. */
    public LongSupplier nanoTime() {
        return clock;
    }

    /** The time of the attempt so far, without its waits. */
    public Duration elapsed() {
        return clock.elapsed();
    }

    /**
     * {@inheritDoc}
     *
     * @return the reply, made storable before anything reads it
     * @throws ModelException as the client throws; BUDGET_EXCEEDED when the budget does not cover the request, which is then
     *     not sent
     */
    @Override
    public ModelReply ask(ModelRequest asked) throws InterruptedException {
        return ask(asked, () -> model.client().ask(asked));
    }

    /** {@inheritDoc} The same as {@link #ask(ModelRequest)} otherwise. */
    @Override
    public ModelReply ask(ModelRequest asked, AnswerListener listener) throws InterruptedException {
        return ask(asked, () -> model.client().ask(asked, listener));
    }

    private ModelReply ask(ModelRequest asked, CellClock.Wait<ModelReply> call) throws InterruptedException {
        return paid(asked.turn(), worstCase(asked), () -> call.get().storable(), ModelReply::measured);
    }

    /** The work of one paid call. */
    @FunctionalInterface
    public interface PaidWork {

        /**
         * Does it.
         *
         * @throws AgentLoopException when it failed, with messages and usage
         * @throws InterruptedException when the cell was stopped
         */
        LoopSoFar run() throws InterruptedException;
    }

    /**
     * Runs {@code work} as one row of the ledger, under a permit.
     *
     * @param worstCaseUsd the most that it costs in US dollars, which counts in full where its cost stays unknown; null: unknown
     * @throws ModelException BUDGET_EXCEEDED when the budget does not cover it; the work is then not done
     */
    public LoopSoFar pay(@Nullable BigDecimal worstCaseUsd, PaidWork work) throws InterruptedException {
        return paid(1, worstCaseUsd, work::run, LoopSoFar::measured);
    }

    /**
     * The same for work whose requests are rows of their own ({@link ProgramRequests}). Its own row reserves and costs nothing.
     *
     * @throws ModelException BUDGET_EXCEEDED when the budget is spent; the work is then not done
     */
    public LoopSoFar payNothing(PaidWork work) throws InterruptedException {
        LedgerRow row = row(1, BigDecimal.ZERO);
        Permits.Permit permit = clock.standStill(() -> begun(row));
        try (permit) {
            LoopSoFar said = work.run();
            row.settle(BigDecimal.ZERO, null, null);
            return said;
        } catch (CallFailedException e) {
            row.settle(BigDecimal.ZERO, null, e.failure());
            throw e;
        } catch (InterruptedException e) {
            row.abort();
            throw e;
        } catch (RuntimeException | Error e) {
            row.settle(BigDecimal.ZERO, null, Failure.unexpected(e));
            throw e;
        }
    }

    private <T> T paid(int turn, @Nullable BigDecimal worstCase, CellClock.Wait<T> call, Function<T, Measured> measured)
            throws InterruptedException {
        LedgerRow row = row(turn, worstCase);
        Permits.Permit permit = clock.standStill(() -> begun(row));
        try (permit) {
            T answer = sent(call);
            Measured took = measured.apply(answer);
            // Without reported usage the cost is unknown, and the reservation counts in full.
            row.settle(
                    took.costUsd() == null ? worstCase : took.costUsd(),
                    took.usage().total(),
                    null);
            return answer;
        } catch (AgentLoopException e) {
            row.settle(charged(e.soFar(), worstCase), null, e.failure());
            throw e;
        } catch (ModelException e) {
            row.settle(charged(e.failure(), worstCase), null, e.failure());
            throw e;
        } catch (InterruptedException e) {
            row.abort();
            throw e;
        } catch (RuntimeException | Error e) {
            row.settle(worstCase, null, Failure.unexpected(e));
            throw e;
        }
    }

    /** Sends a request. Its pool hears of the end before the permit is another's, whose call might meet the same. */
    private <T> T sent(CellClock.Wait<T> call) throws InterruptedException {
        PoolCall sent = gate.begins();
        try {
            T answer = call.get();
            sent.answered();
            return answer;
        } catch (CallFailedException e) {
            sent.failed(e);
            throw e;
        } catch (InterruptedException | RuntimeException | Error e) {
            sent.givenUp();
            throw e;
        }
    }

    private LedgerRow row(int turn, @Nullable BigDecimal worstCase) {
        lastRequestId = journal.nextRequestId();
        Reserve entry = new Reserve(
                lastRequestId,
                request.key(),
                turn,
                model.provider(),
                model.model(),
                worstCase,
                request.cell().hasBegun() ? null : (Integer) request.attempt().definedAttempts());
        return new LedgerRow(journal, entry, NoAttempt.UNSENT);
    }

    private Permits.Permit begun(LedgerRow row) throws InterruptedException {
        gate.pass();
        try {
            awaitGrant(row);
        } catch (InterruptedException e) {
            mayHaveBegun();
            throw e;
        } finally {
            request.cell().waitForBudget(false);
        }
        return acquire(row);
    }

    private void awaitGrant(LedgerRow row) throws InterruptedException {
        while (true) {
            switch (row.write()) {
                case GRANTED -> {
                    request.cell().begun();
                    return;
                }
                case WAIT -> {
                    request.cell().waitForBudget(true);
                    Thread.sleep(BUDGET_WAIT_MS);
                }
                case OVER_BUDGET -> throw row.overBudget();
                case EXHAUSTED -> throw exhausted();
                case STALE, CANCELLED -> throw taken();
            }
        }
    }

    /**
     * Counts the attempt before its first request.
     *
     * @throws ModelException when all attempts of the cell have begun
     * @throws InterruptedException when the cell is no longer this worker's
     */
    public void begin() throws InterruptedException {
        try {
            switch (journal.begin(new Begin(request.key(), request.attempt().definedAttempts()))) {
                case GRANTED -> request.cell().begun();
                case EXHAUSTED -> throw exhausted();
                case STALE, WAIT, OVER_BUDGET, CANCELLED -> throw taken();
            }
        } catch (InterruptedException e) {
            mayHaveBegun();
            throw e;
        }
    }

    /**
     * The thread was interrupted while the attempt's begin was written, which may be done still. Whoever stops the cell must give the
     * attempt back before another worker may have the cell.
     */
    private void mayHaveBegun() {
        request.cell().begun();
    }

    private static ModelException exhausted() {
        return new ModelException(
                ErrorCode.INTERNAL, "All attempts of this cell have begun; nothing more is sent", null, null);
    }

    private static InterruptedException taken() {
        return new InterruptedException("The cell is no longer this worker's, or its campaign's epoch moved on");
    }

    private Permits.Permit acquire(LedgerRow row) throws InterruptedException {
        try {
            Permits.Permit permit = place.acquire();
            try {
                gate.pass();
                request.cell().callBegins();
            } catch (InterruptedException e) {
                permit.close();
                throw e;
            }
            return permit;
        } catch (InterruptedException e) {
            row.giveUp();
            throw e;
        }
    }

    /**
     * The estimated input and the whole output limit; embeddings have none. Where no price is known, the most that the user says it
     * costs.
     */
    private @Nullable BigDecimal worstCase(ModelRequest asked) {
        Price price = model.price();
        if (price == null) {
            return model.mostUsd();
        }
        return price.costUsd(
                estimateInput(asked) + model.tokens().format(),
                asked.compares() ? 0 : model.tokens().billedOutput());
    }

    private static long estimateInput(ModelRequest asked) {
        long bytes = asked.systemPrompt() == null ? 0 : bytes(asked.systemPrompt());
        for (var message : asked.messages()) {
            for (Content block : message.content()) {
                bytes += switch (block) {
                    case Content.Text text -> bytes(text.text());
                    case Content.Thinking(String text, String signature) ->
                        bytes(text) + (signature == null ? 0 : bytes(signature));
                    case Content.Image image -> bytes(image.data());
                    case Content.ToolCall call -> bytes(call.arguments().toString());
                };
            }
        }
        for (ToolSpec tool : asked.tools()) {
            bytes += bytes(tool.name() + tool.description() + tool.parameters());
        }
        return TokenEstimate.ofBytes(bytes);
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The charge of a program: none if it did not run, the reservation in full if it ran and does not report its usage. */
    private static @Nullable BigDecimal charged(LoopSoFar said, @Nullable BigDecimal worstCase) {
        if (said.program() == null) {
            return worstCase == null ? null : BigDecimal.ZERO;
        }
        return said.measured().costUsd() == null ? worstCase : said.measured().costUsd();
    }

    /** The charge of a failed request. One that may have reached the model counts in full: the provider's charge is unknown. */
    private static @Nullable BigDecimal charged(Failure failure, @Nullable BigDecimal worstCase) {
        if (worstCase == null) {
            return null;
        }
        return failure.code() == ErrorCode.PROVIDER_TIMEOUT ? worstCase : BigDecimal.ZERO;
    }
}
