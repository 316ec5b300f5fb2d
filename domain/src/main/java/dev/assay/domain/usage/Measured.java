package dev.assay.domain.usage;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The usage, cost and time of answers.
 *
 * @param usage tokens
 * @param costUsd cost of {@code usage} in US dollars; null where there was no answer, or where that of any is not known
 * @param latency time from request to answer, summed over the answers
 */
public record Measured(Usage usage, @Nullable BigDecimal costUsd, Duration latency) {

    /** Nothing was answered. */
    public static final Measured NONE = new Measured(Usage.NONE, null, Duration.ZERO);

    /** Both together; the cost is known where both are. */
    public Measured plus(Measured other) {
        return new Measured(
                usage.plus(other.usage),
                costUsd == null || other.costUsd == null ? null : costUsd.add(other.costUsd),
                latency.plus(other.latency));
    }
}
