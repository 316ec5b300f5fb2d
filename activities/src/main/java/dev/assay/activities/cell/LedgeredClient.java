package dev.assay.activities.cell;

import dev.assay.activities.agent.Asking;
import dev.assay.activities.provider.ModelClient;
import dev.assay.activities.provider.ModelException;
import dev.assay.activities.provider.ModelReply;
import dev.assay.activities.provider.ModelRequest;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Content;
import dev.assay.domain.usage.Price;
import dev.assay.domain.usage.Usage;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Reserve;
import dev.assay.store.journal.JournalEntry.Settle;
import dev.assay.store.journal.Reservation;
import dev.assay.store.journal.RunJournal;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Asks a model for one attempt of one cell: writes each request into the ledger before it is sent and settles it after. */
public final class LedgeredClient implements ModelClient {

    /** How often a request looks whether the reservations in its way were settled. */
    private static final long BUDGET_WAIT_MS = 100;

    private final Asking asking;
    private final RunJournal journal;
    private final Request request;
    private int turn;

    /**
     * What all requests of the attempt share.
     *
     * @param running the cell, in the campaign's epoch
     * @param attempt of the cell, from 1
     * @param workerId who asks
     */
    public record Request(RunningCell running, int attempt, String workerId) {

        CellKey cell() {
            return running.key();
        }

        int epoch() {
            return running.epoch();
        }
    }

    public LedgeredClient(Asking asking, RunJournal journal, Request request) {
        this.asking = asking;
        this.journal = journal;
        this.request = request;
    }

    /**
     * {@inheritDoc}
     *
     * @throws ModelException as the client throws; BUDGET_EXCEEDED when the budget does not cover the request, which is then
     *     not sent
     */
    @Override
    public ModelReply ask(ModelRequest asked) throws InterruptedException {
        turn++;
        BigDecimal worstCase = worstCase(asked);
        long requestId = reserve(asked, worstCase);
        try {
            ModelReply reply = asking.client().ask(asked);
            // A provider that reports no usage leaves the cost unknown: it counts in full.
            BigDecimal cost = reply.costUsd() == null ? worstCase : reply.costUsd();
            settle(requestId, worstCase, cost, reply.usage().total(), null);
            return reply;
        } catch (ModelException e) {
            settle(requestId, worstCase, charged(e.failure(), worstCase), null, e.failure());
            throw e;
        } catch (InterruptedException e) {
            Failure failure = new Failure(ErrorCode.CANCELLED, "The request was aborted");
            settle(requestId, worstCase, worstCase, null, failure);
            throw e;
        }
    }

    private long reserve(ModelRequest asked, @Nullable BigDecimal worstCase) throws InterruptedException {
        long requestId = journal.nextRequestId();
        Reserve entry = new Reserve(
                requestId,
                request.cell(),
                request.epoch(),
                request.attempt(),
                turn,
                asking.provider(),
                asked.choice().model(),
                request.workerId(),
                worstCase);
        try {
            return awaitGrant(entry);
        } finally {
            request.running().waitForBudget(false);
        }
    }

    private long awaitGrant(Reserve entry) throws InterruptedException {
        while (true) {
            switch (reserve(entry)) {
                case GRANTED -> {
                    return entry.requestId();
                }
                case WAIT -> {
                    request.running().waitForBudget(true);
                    Thread.sleep(BUDGET_WAIT_MS);
                }
                case OVER_BUDGET ->
                    throw new ModelException(
                            ErrorCode.BUDGET_EXCEEDED,
                            "The campaign's budget does not cover this request, which may cost up to " + entry.worstCaseUsd()
                                    + " USD",
                            null,
                            null);
                case STALE -> throw new InterruptedException("The campaign's epoch moved on");
            }
        }
    }

    private Reservation reserve(Reserve entry) throws InterruptedException {
        try {
            return journal.reserve(entry);
        } catch (InterruptedException e) {
            // It may be in the ledger already, but it is never sent.
            Failure failure = new Failure(ErrorCode.CANCELLED, "The request was given up before it was sent");
            var _ = journal.giveUp(new Settle(
                    entry.requestId(),
                    entry.cell().campaignId(),
                    entry.worstCaseUsd(),
                    BigDecimal.ZERO,
                    null,
                    failure));
            throw e;
        }
    }

    /** Input as estimated and the whole output limit; null where no price is known. */
    private @Nullable BigDecimal worstCase(ModelRequest asked) {
        Price price = asking.price();
        if (price == null) {
            return null;
        }
        return price.costUsd(Usage.of(estimateInput(asked), asking.billedOutputTokens()));
    }

    private static long estimateInput(ModelRequest asked) {
        long bytes = asked.systemPrompt() == null ? 0 : bytes(asked.systemPrompt());
        for (var message : asked.messages()) {
            for (Content block : message.content()) {
                bytes += switch (block) {
                    case Content.Text text -> bytes(text.text());
                    case Content.Thinking thinking -> bytes(thinking.text());
                    case Content.Image image -> bytes(image.data());
                    case Content.ToolCall call -> bytes(call.arguments().toString());
                };
            }
        }
        return (bytes + 3) / 4;
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** A request that may have reached the model counts in full: nobody knows what the provider charges for it. */
    private static @Nullable BigDecimal charged(Failure failure, @Nullable BigDecimal worstCase) {
        if (worstCase == null) {
            return null;
        }
        return failure.code() == ErrorCode.PROVIDER_TIMEOUT ? worstCase : BigDecimal.ZERO;
    }

    private void settle(
            long requestId,
            @Nullable BigDecimal reserved,
            @Nullable BigDecimal cost,
            @Nullable Long tokens,
            @Nullable Failure failure) {
        var _ = journal.settle(new Settle(requestId, request.cell().campaignId(), reserved, cost, tokens, failure));
    }
}
