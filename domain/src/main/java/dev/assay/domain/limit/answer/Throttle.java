package dev.assay.domain.limit.answer;

import dev.assay.domain.limit.AdaptiveConcurrency;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What answers have made of a pool: until when nothing is sent there, and how many calls may be in flight.
 *
 * @param blockedUntil null: it never was blocked
 * @param blocks how often it was blocked. A request knows the number of its time, so that a burst of refusals blocks once
 * @param inRow how many blocks have come in a row, without an answer between
 */
public record Throttle(
        AdaptiveConcurrency concurrency, @Nullable Instant blockedUntil, int blocks, int inRow) {

    /** Of a pool that refused nothing yet. */
    public static Throttle begun(int min, int start, int max) {
        return new Throttle(AdaptiveConcurrency.begun(min, start, max), null, 0, 0);
    }

    /** The same with other bounds of its calls in flight. */
    public Throttle within(int min, int max) {
        return with(concurrency.within(min, max), inRow);
    }

    private Throttle with(AdaptiveConcurrency calls, int row) {
        return new Throttle(calls, blockedUntil, blocks, row);
    }

    /** How long nothing is sent from {@code now} on; zero: it is not blocked. */
    public Duration blockedFor(Instant now) {
        return blockedUntil != null && blockedUntil.isAfter(now) ? Duration.between(now, blockedUntil) : Duration.ZERO;
    }

    /** The same after a refusal of an account of its own, which blocks that account alone: fewer calls may be in flight. */
    public Throttle cut(PoolRefusal refusal) {
        return with(concurrency.refused(refusal.cutsThen(), refusal.inFlight()), inRow);
    }

    /** The same after a refusal. One of a burst that has blocked the pool already makes the time longer where it asks for it. */
    public Throttle refused(PoolRefusal refusal, Instant now) {
        AdaptiveConcurrency calls = refusal.kind() == Refusal.Kind.CONCURRENCY
                ? concurrency.refused(refusal.cutsThen(), refusal.inFlight())
                : concurrency;
        boolean isFirst = refusal.blocksThen() == blocks;
        if (!refusal.blocks() || (!isFirst && refusal.asked() == null)) {
            return with(calls, inRow);
        }
        int row = isFirst ? inRow + 1 : inRow;
        Instant until = now.plus(PoolBlock.after(refusal.asked(), Math.max(1, row)));
        return new Throttle(
                calls,
                blockedUntil != null && blockedUntil.isAfter(until) ? blockedUntil : until,
                isFirst ? blocks + 1 : blocks,
                row);
    }

    /**
     * The same after a clean answer, that of a repeated request left out.
     *
     * @param cutsThen the number of cuts as its request was sent
     * @param inFlight calls of the pool that were in flight then, it included
     */
    public Throttle answered(int cutsThen, int inFlight) {
        return with(concurrency.answered(cutsThen, inFlight), inRow);
    }

    /** The same after an answer to a request that was sent after the last block. */
    public Throttle calmed(int blocksThen) {
        return blocksThen == blocks ? with(concurrency, 0) : this;
    }

    /** The same after its provider was away: the number of its calls is found anew. */
    public Throttle restarted(int start) {
        AdaptiveConcurrency calls = AdaptiveConcurrency.begun(
                concurrency.min(), Math.clamp(start, concurrency.min(), concurrency.max()), concurrency.max());
        return with(
                new AdaptiveConcurrency(
                        calls.min(), calls.max(), calls.now(), calls.phase(), concurrency.cuts() + 1, calls.clean()),
                inRow);
    }
}
