package dev.assay.domain.limit.outage;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The evidence for and against a key, over all its pools.
 *
 * @param refusals ends in a row that refused it (401, or no quota), at least 0
 * @param lastSuccess null: none is known
 * @param lastRefusal null: none is known
 */
public record KeyEvidence(
        int refusals,
        @Nullable Instant lastSuccess,
        @Nullable Instant lastRefusal) {

    /** Of a key that was not used yet. */
    public static final KeyEvidence NONE = new KeyEvidence(0, null, null);

    /** A refusal may be about a model where the key worked so lately. */
    private static final Duration TRUSTED = Duration.ofSeconds(60);

    private static final int ENOUGH = 5;

    /** The same after a refusal of the key. */
    public KeyEvidence refused(Instant now) {
        return new KeyEvidence(refusals + 1, lastSuccess, now);
    }

    /** The same after any other end that answers: the key was taken. */
    public KeyEvidence taken(Instant now) {
        return new KeyEvidence(0, now, lastRefusal);
    }

    /** Whether the refusals prove that the key is refused. One does, where it had no success of late. */
    public boolean isProven(Instant now) {
        boolean trusted = lastSuccess != null && now.isBefore(lastSuccess.plus(TRUSTED));
        return refusals >= (trusted ? ENOUGH : 1);
    }

    /** Whether a success of a request sent at {@code sentAt} says that the refusals were about a model. */
    public boolean isRefutedBy(Instant sentAt) {
        return lastRefusal == null || sentAt.isAfter(lastRefusal);
    }
}
