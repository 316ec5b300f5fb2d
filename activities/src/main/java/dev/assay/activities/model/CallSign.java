package dev.assay.activities.model;

import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.OutageSignal;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a call says of whether its provider is there, and takes its key.
 *
 * @param signal of an outage; null: none
 * @param isAnswer whether the provider answered, be it with a refusal
 * @param refusedKey why it refuses the key; null: it does not
 */
public record CallSign(@Nullable OutageSignal signal, boolean isAnswer, Outage.@Nullable Reason refusedKey) {

    /** It answered. */
    public static final CallSign ANSWERED = new CallSign(null, true, null);

    /** It says nothing: the call was stopped, or never sent. */
    public static final CallSign NONE = new CallSign(null, false, null);

    /** A signal of an outage. */
    public static CallSign of(OutageSignal signal) {
        return new CallSign(signal, false, null);
    }

    /** A refusal of the key. */
    public static CallSign ofRefusedKey(Outage.Reason why) {
        return new CallSign(null, true, why);
    }

    /** What an answer with this HTTP status says. */
    public static CallSign ofStatus(int status) {
        OutageSignal signal = OutageSignal.ofStatus(status);
        return signal == null ? ANSWERED : of(signal);
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
