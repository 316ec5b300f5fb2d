package dev.assay.domain.usage;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The usage, cost and time of answers.
 *
 * @param usage tokens; unknown where those of any answer are
 * @param costUsd cost of {@code usage} in US dollars; null where there was no answer, or where that of any is not known
 * @param latency time from request to answer, summed over the answers; {@link #UNTIMED} where a batch of the provider answered
 */
public record Measured(Usage usage, @Nullable BigDecimal costUsd, Duration latency) {

    /** The time of what a batch of the provider answered: it says nothing of the model. */
    public static final Duration UNTIMED = Duration.ofMillis(-1);

    /** Nothing was answered. */
    public static final Measured NONE = new Measured(Usage.NONE, null, Duration.ZERO);

    /** The same as those of an answer, of which zero tokens say that they were not counted. */
    public Measured ofAnswer() {
        return usage.ofAnswer().equals(usage) ? this : new Measured(usage.ofAnswer(), costUsd, latency);
    }

    /** Both together; tokens and cost are known where those of both are. */
    public Measured plus(Measured other) {
        return new Measured(
                usage.plus(other.usage),
                costUsd == null || other.costUsd == null ? null : costUsd.add(other.costUsd),
                isTimed() && other.isTimed() ? latency.plus(other.latency) : UNTIMED);
    }

    /** The same, as a batch of the provider brought it. */
    public Measured untimed() {
        return new Measured(usage, costUsd, UNTIMED);
    }

    /** Whether the time of all answers is known. */
    public boolean isTimed() {
        return !latency.isNegative();
    }
}
