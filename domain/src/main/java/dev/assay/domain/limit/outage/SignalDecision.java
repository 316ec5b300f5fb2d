package dev.assay.domain.limit.outage;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The decision whether a signal is an attempt of its cell. The cell stays open until that is decided. */
public enum SignalDecision {
    /** Not decided yet. */
    OPEN,
    /** An attempt: the provider was there. */
    ATTEMPT,
    /** No attempt: the provider was away. */
    NO_ATTEMPT;

    /** The longest time for which a cell is left open. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    /**
     * The decision.
     *
     * @param lastAnswer when the pool last answered this worker; null: never
     * @param isDown whether the pool is down
     */
    public static SignalDecision of(Instant signalAt, @Nullable Instant lastAnswer, boolean isDown, Instant now) {
        if (lastAnswer != null && !lastAnswer.isBefore(signalAt)) {
            return ATTEMPT;
        }
        if (isDown) {
            return NO_ATTEMPT;
        }
        return now.isBefore(signalAt.plus(LONGEST)) ? OPEN : ATTEMPT;
    }
}
