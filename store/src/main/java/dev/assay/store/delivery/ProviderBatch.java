package dev.assay.store.delivery;

import dev.assay.domain.delivery.BatchState;
import dev.assay.domain.health.OutBatch;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A batch of a provider.
 *
 * @param error what went wrong with it last; null: nothing
 */
public record ProviderBatch(
        Of of,
        BatchState state,
        Provided provided,
        Size size,
        Counts counts,
        Times times,
        @Nullable Problem error) {

    /**
     * Whose it is.
     *
     * @param epoch of the campaign in which its cells were enlisted
     * @param round the how many-th batch its cells are in, at most, from 1
     * @param queue the task queue of the workers that handle it
     */
    public record Of(
            String id,
            String campaignId,
            int epoch,
            String provider,
            String model,
            String kind,
            int round,
            String queue) {}

    /** What the provider calls it, and the key that it was submitted with. */
    public record Provided(
            @Nullable String providerId,
            @Nullable String fileId,
            @Nullable String keyName,
            @Nullable String accountHash) {}

    /**
     * Its size.
     *
     * @param reservedUsd what its lines cost at most; null: no price is known
     */
    public record Size(
            int lines,
            long bytes,
            long estimatedTokens,
            @Nullable BigDecimal reservedUsd) {}

    /**
     * Its lines, by their ends.
     *
     * @param saidDone what the provider said it had finished
     * @param tries failed readings of its results, in a row
     * @param costUsd what its answers cost so far; null: none has a known cost
     */
    public record Counts(
            int answered,
            int failed,
            int expired,
            int canceled,
            int missing,
            int duplicates,
            int strangers,
            int saidDone,
            int tries,
            @Nullable BigDecimal costUsd) {}

    /**
     * What happened to it when, null where it did not yet; {@code now} by PostgreSQL's clock.
     *
     * @param clean when a complete list first did not have it
     * @param expires when the provider gives up
     * @param deadline when its campaign's deadline is reached
     */
    public record Times(
            Instant created,
            @Nullable Instant submitting,
            @Nullable Instant submitted,
            @Nullable Instant ended,
            @Nullable Instant collected,
            @Nullable Instant expires,
            @Nullable Instant deadline,
            @Nullable Instant nextPoll,
            @Nullable Instant cancelRequested,
            @Nullable Instant clean,
            Instant now) {}

    /** What went wrong. */
    public record Problem(@Nullable String code, String message) {}

    /** The requests that are out in it. */
    public int linesOut() {
        return state.isOpen()
                ? Math.max(
                        0,
                        size.lines()
                                - counts.answered()
                                - counts.failed()
                                - counts.expired()
                                - counts.canceled()
                                - counts.missing())
                : 0;
    }

    /**
     * What the health of its campaign says of it.
     *
     * @param usual the time in which half of the last batches of its model ended; null: not known
     */
    public OutBatch asOut(@Nullable Duration usual) {
        return new OutBatch(
                of.id(),
                of.provider(),
                linesOut(),
                counts.saidDone(),
                times.submitted(),
                times.expires(),
                error == null ? null : error.code(),
                error == null ? null : error.message(),
                usual,
                times.now());
    }

    public String id() {
        return of.id();
    }
}
