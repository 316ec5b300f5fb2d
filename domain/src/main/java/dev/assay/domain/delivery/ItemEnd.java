package dev.assay.domain.delivery;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import org.jspecify.annotations.Nullable;

/**
 * What a request in a provider batch comes to: its item, its row of the ledger, and its cell.
 *
 * @param failure why there is no answer; null: there is one
 * @param charge what it cost
 * @param attempt whether it counts as an attempt of its cell
 * @param cell what becomes of its cell
 */
public record ItemEnd(ItemState state, @Nullable Failure failure, Charge charge, Counted attempt, CellEnd cell) {

    /** What a request cost. */
    public enum Charge {
        /** What its usage costs. */
        USAGE,
        /** Nothing. */
        NOTHING,
        /** It may have been paid, so what was reserved for it counts. */
        RESERVATION
    }

    /** Whether a request was an attempt. */
    public enum Counted {
        YES,
        /** It is given back: its key was refused. */
        KEY,
        /** It is given back: its batch ended before it was reached. */
        BATCH
    }

    /** What becomes of a cell. */
    public enum CellEnd {
        /** Its answer closes it. */
        ANSWERED,
        /** Its failure closes it. */
        FAILED,
        /** It is open for another batch. */
        OPEN,
        /** It is open, and asked live. */
        LIVE
    }

    /**
     * What is known of a cell when its request ends.
     *
     * @param attempt which one it was, from 1
     * @param mostAttempts that its cell has
     * @param isLastRound whether it may be in no other batch: it was in as many as are allowed, or the deadline is reached
     * @param goesLive whether it is asked live then; else it fails
     */
    public record Standing(int attempt, int mostAttempts, boolean isLastRound, boolean goesLive) {}

    private static final String TIME_IS_UP =
            "The provider's batches ended before it was reached. Run it again with `assay rerun`, or ask it live.";

    /** The end of a request that the model answered. */
    public static ItemEnd answered() {
        return new ItemEnd(ItemState.ANSWERED, null, Charge.USAGE, Counted.YES, CellEnd.ANSWERED);
    }

    /** The end of a request by a line that has no answer. */
    public static ItemEnd of(DeliveredLine line, Standing standing) {
        return switch (line.end()) {
            case ANSWERED -> answered();
            case REFUSED -> failed(refusal(line));
            case AUTH ->
                line.refusesKey()
                        ? open(ItemState.FAILED, said(ErrorCode.PROVIDER_AUTH, line), Counted.KEY, standing)
                        : failed(said(ErrorCode.PROVIDER_AUTH, line));
            case RETRY -> retried(ItemState.FAILED, Charge.NOTHING, said(failed(line.failedStatus()), line), standing);
            case EXPIRED -> open(ItemState.EXPIRED, expired(), Counted.BATCH, standing);
            case CANCELED -> open(ItemState.CANCELED, expired(), Counted.BATCH, standing);
            case UNREADABLE, MISSING -> missing(standing);
        };
    }

    /** The end of a request of which complete files say nothing that can be read. It may have been paid. */
    public static ItemEnd missing(Standing standing) {
        return retried(
                ItemState.MISSING,
                Charge.RESERVATION,
                new Failure(ErrorCode.PROVIDER_CONNECTION, "The results of the provider's batch have no line of it."),
                standing);
    }

    /** The end of a request whose batch was never at the provider. */
    public static ItemEnd notSent(Standing standing) {
        return open(ItemState.NOT_SENT, expired(), Counted.BATCH, standing);
    }

    /** The end of a request whose batch the provider refused as a whole. */
    public static ItemEnd refused(String words, Standing standing) {
        return new ItemEnd(
                ItemState.NOT_SENT,
                new Failure(ErrorCode.BATCH_REFUSED, "The provider refused the batch: " + words),
                Charge.NOTHING,
                standing.goesLive() ? Counted.BATCH : Counted.YES,
                standing.goesLive() ? CellEnd.LIVE : CellEnd.FAILED);
    }

    /** The end of a request that no batch of its provider takes. */
    public static ItemEnd tooLarge(String words) {
        return new ItemEnd(
                ItemState.NOT_SENT,
                new Failure(ErrorCode.CONTEXT_TOO_LONG, words),
                Charge.NOTHING,
                Counted.YES,
                CellEnd.FAILED);
    }

    private static ItemEnd failed(Failure failure) {
        return new ItemEnd(ItemState.FAILED, failure, Charge.NOTHING, Counted.YES, CellEnd.FAILED);
    }

    private static ItemEnd retried(ItemState state, Charge charge, Failure failure, Standing standing) {
        if (standing.attempt() >= standing.mostAttempts()) {
            return new ItemEnd(state, failure, charge, Counted.YES, CellEnd.FAILED);
        }
        return open(state, failure, charge, Counted.YES, standing);
    }

    private static ItemEnd open(ItemState state, Failure failure, Counted counted, Standing standing) {
        return open(state, failure, Charge.NOTHING, counted, standing);
    }

    private static ItemEnd open(ItemState state, Failure failure, Charge charge, Counted counted, Standing standing) {
        // A round that ended with a refused key does not count.
        if (!standing.isLastRound() || counted == Counted.KEY) {
            return new ItemEnd(state, failure, charge, counted, CellEnd.OPEN);
        }
        return standing.goesLive()
                ? new ItemEnd(state, failure, charge, counted, CellEnd.LIVE)
                : new ItemEnd(state, expired(), charge, counted, CellEnd.FAILED);
    }

    private static Failure expired() {
        return new Failure(ErrorCode.BATCH_EXPIRED, TIME_IS_UP);
    }

    private static ErrorCode failed(int status) {
        return status == 429 ? ErrorCode.PROVIDER_RATE_LIMITED : ErrorCode.PROVIDER_UNAVAILABLE;
    }

    private static Failure refusal(DeliveredLine line) {
        boolean isTooLong = line.code().equals("context_length_exceeded");
        return said(isTooLong ? ErrorCode.CONTEXT_TOO_LONG : ErrorCode.PROVIDER_REJECTED, line);
    }

    private static Failure said(ErrorCode code, DeliveredLine line) {
        String words = line.words().isEmpty() ? line.code() : line.words();
        return new Failure(
                code,
                "The provider failed the request in its batch (" + line.failedStatus() + ")"
                        + (words.isEmpty() ? "." : ": " + words));
    }
}
