package dev.assay.activities.provider;

import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a model answered.
 *
 * @param message the reply
 * @param usage tokens as the provider counts them
 * @param costUsd what it cost; null where no price is known
 * @param latency from request to reply; of a replay, as recorded
 */
public record ModelReply(
        Message message, Usage usage, @Nullable BigDecimal costUsd, Duration latency) {}
