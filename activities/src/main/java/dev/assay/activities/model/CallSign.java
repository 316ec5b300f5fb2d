package dev.assay.activities.model;

import dev.assay.domain.limit.answer.Refusal;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.OutageSignal;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a call says of whether its provider is there, and takes its key.
 *
 * @param signal of an outage; null: none
 * @param isAnswer whether the provider answered, be it with a refusal
 * @param refusedKey why it refuses the key; null: it does not
 * @param refusal what its answer means for its pool; null: there was none, or it was a success
 */
public record CallSign(
        @Nullable OutageSignal signal,
        boolean isAnswer,
        Outage.@Nullable Reason refusedKey,
        @Nullable Refusal refusal) {

    /** It answered. */
    public static final CallSign ANSWERED = new CallSign(null, true, null, null);

    /** It says nothing: the call was stopped, or never sent. */
    public static final CallSign NONE = new CallSign(null, false, null, null);

    /** A signal of an outage. */
    public static CallSign of(OutageSignal signal) {
        return new CallSign(signal, false, null, null);
    }

    /** What an answer with this HTTP status says, which is no success. */
    public static CallSign of(int status, Refusal refusal) {
        OutageSignal signal = OutageSignal.ofStatus(status);
        return new CallSign(signal, signal == null, null, refusal);
    }

    /** The same, of a call with a key. */
    public static CallSign ofKeyed(int status, Refusal refusal) {
        return switch (refusal.kind()) {
            case AUTH -> new CallSign(null, true, Outage.Reason.AUTH, refusal);
            case QUOTA -> new CallSign(null, true, Outage.Reason.QUOTA, refusal);
            case TOO_LARGE, RATE, CONCURRENCY, OTHER -> of(status, refusal);
        };
    }

    /** Whether too much was asked for, or at once: the same call may go later. */
    public boolean isForLater() {
        return refusal != null && refusal.isForLater();
    }

    /** Whether it leaves open whether the call was an attempt: the provider may be away, or its key be refused. */
    public boolean isUndecided() {
        return signal != null || refusedKey != null;
    }

    /** Whether the key of the call was taken. */
    public boolean takesKey() {
        return isAnswer && refusedKey == null;
    }
}
