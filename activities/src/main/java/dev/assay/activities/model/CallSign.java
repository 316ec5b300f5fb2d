package dev.assay.activities.model;

import dev.assay.domain.limit.outage.OutageSignal;
import org.jspecify.annotations.Nullable;

/**
 * What the end of a call says of whether its provider is there.
 *
 * @param signal of an outage; null: none
 * @param isAnswer whether the provider answered, be it with a refusal
 */
public record CallSign(@Nullable OutageSignal signal, boolean isAnswer) {

    /** It answered. */
    public static final CallSign ANSWERED = new CallSign(null, true);

    /** It says nothing: the call was stopped, or never sent. */
    public static final CallSign NONE = new CallSign(null, false);

    /** A signal of an outage. */
    public static CallSign of(OutageSignal signal) {
        return new CallSign(signal, false);
    }

    /** What an answer with this HTTP status says. */
    public static CallSign ofStatus(int status) {
        OutageSignal signal = OutageSignal.ofStatus(status);
        return signal == null ? ANSWERED : of(signal);
    }
}
