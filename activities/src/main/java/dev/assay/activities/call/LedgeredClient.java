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
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.limit.size.RequestSize;
import dev.assay.domain.usage.Measured;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.journal.JournalEntry.NoAttempt;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.RunJournal;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks a model for one attempt of one cell. It writes each request into the ledger, sends it under a permit, and
 * settles it after. The ledger comes first, so that a permit is held for the time on the wire only.
 */
public final class LedgeredClient implements ModelClient {

    /** The size of what is no request to a model. */
    private static final RequestSize NOTHING = new RequestSize(0, 0, 0, 0);

    private final ResolvedModel model;
    private final RunJournal journal;
    private final BudgetQueue budgets;
    private final Request request;
    private final AttemptGate gate;
    private final Admission admission;
    private final CellClock clock = new CellClock();
    private long lastRequestId;

    /** The data that all requests of the attempt share. */
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
     */
    LedgeredClient(
            ResolvedModel model,
            RunJournal journal,
            BudgetQueue budgets,
            Permits.Place place,
            Request request,
            AttemptGate gate) {
        this.model = model;
        this.journal = journal;
        this.budgets = budgets;
        this.request = request;
        this.gate = gate;
        this.admission = new Admission(model.limits(), place, request, gate);
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
        return ask(asked, sent -> () -> model.client().ask(sent));
    }

    /** {@inheritDoc} The same as {@link #ask(ModelRequest)} otherwise. */
    @Override
    public ModelReply ask(ModelRequest asked, AnswerListener listener) throws InterruptedException {
        return ask(asked, sent -> () -> model.client().ask(sent, listener));
    }

    private ModelReply ask(ModelRequest asked, Function<ModelRequest, CellClock.Wait<ModelReply>> call)
            throws InterruptedException {
        SentSize size = SentSize.of(asked);
        RequestSize spent = size.spent(model.tokens().billedOutput());
        return paid(
                row(asked.turn(), model.worstCase(size)),
                spent,
                admitted -> call.apply(asked.repeating(admitted.permit()::repeats)
                                .bearing(admitted.key().name())
                                .hearing(admitted.permit()::heard))
                        .get()
                        .storable(),
                ModelReply::measured);
    }

    /** A call, with what it was admitted with. */
    @FunctionalInterface
    private interface Call<T> {
        T get(Admission.Admitted admitted) throws InterruptedException;
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
        return paid(row(1, worstCaseUsd), NOTHING, _ -> work.run(), LoopSoFar::measured);
    }

    /**
     * The same for work whose requests are rows of their own ({@link ProgramRequests}). Its own row reserves and costs nothing.
     *
     * @throws ModelException BUDGET_EXCEEDED when the budget is spent; the work is then not done
     */
    public LoopSoFar payNothing(PaidWork work) throws InterruptedException {
        LedgerRow row = row(1, BigDecimal.ZERO);
        Permits.Permit permit =
                clock.standStill(() -> admission.of(row, NOTHING)).permit();
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

    private <T> T paid(LedgerRow row, RequestSize size, Call<T> call, Function<T, Measured> measured)
            throws InterruptedException {
        BigDecimal worstCase = row.worstCase();
        Admission.Admitted admitted = clock.standStill(() -> admission.of(row, size));
        try (Permits.Permit permit = admitted.permit()) {
            T answer = sent(admitted, call);
            Measured took = measured.apply(answer);
            model.limits().answered(permit.units(), size, took.usage());
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
    private <T> T sent(Admission.Admitted admitted, Call<T> call) throws InterruptedException {
        Permits.Permit permit = admitted.permit();
        permit.bears(admitted.key().account());
        boolean isProbe = gate.isProbe();
        PoolCall sent = gate.begins(admitted.key());
        try {
            T answer = call.get(admitted);
            sent.answered();
            permit.answered();
            if (isProbe) {
                permit.isBack();
            }
            return answer;
        } catch (CallFailedException e) {
            sent.failed(e);
            tellRefusal(permit, e);
            throw e;
        } catch (InterruptedException | RuntimeException | Error e) {
            sent.givenUp();
            throw e;
        }
    }

    /** A request that is wrong says nothing of when others may go. */
    private static void tellRefusal(Permits.Permit permit, CallFailedException failure) {
        Refusal refusal = failure.sign().refusal();
        ErrorCode code = failure.failure().code();
        if (refusal != null && (code.isOfProvider() || code == ErrorCode.PROVIDER_AUTH)) {
            permit.refused(refusal);
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
        return new LedgerRow(journal, budgets, entry, NoAttempt.UNSENT);
    }

    /**
     * Counts the attempt before its first request.
     *
     * @throws ModelException when all attempts of the cell have begun
     * @throws InterruptedException when the cell is no longer this worker's
     */
    public void begin() throws InterruptedException {
        admission.begin(journal);
    }

    /** The charge of a program: none if it did not run, the reservation in full if it ran and does not report its usage. */
    private static @Nullable BigDecimal charged(LoopSoFar said, @Nullable BigDecimal worstCase) {
        if (said.program() == null) {
            return worstCase == null ? null : BigDecimal.ZERO;
        }
        return said.measured().costUsd() == null ? worstCase : said.measured().costUsd();
    }

    /**
     * The charge of a failed request. One that may have reached the model, or own code that asks one, counts in full: what was
     * charged is unknown.
     */
    private static @Nullable BigDecimal charged(Failure failure, @Nullable BigDecimal worstCase) {
        if (worstCase == null) {
            return null;
        }
        return switch (failure.code()) {
            case PROVIDER_TIMEOUT, AGENT_FAILED, EVAL_CASE_TIMEOUT -> worstCase;
            default -> BigDecimal.ZERO;
        };
    }
}
