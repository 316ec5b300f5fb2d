package dev.assay.domain.usage;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What calls to models took.
 *
 * @param usage tokens of the answers
 * @param costUsd cost of {@code usage}, in US dollars; null where no price is known
 * @param latency time from the first request to the last answer
 */
public record Measured(Usage usage, @Nullable BigDecimal costUsd, Duration latency) {

    /** Nothing was answered. */
    public static final Measured NONE = new Measured(Usage.NONE, null, Duration.ZERO);
}
