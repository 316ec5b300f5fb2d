package dev.assay.domain.agent;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of one agent loop, checked before each turn (docs/campaign-file.md). Reaching one ends the loop with status LIMIT.
 *
 * @param maxTurns model calls, at least 1
 * @param maxTokens tokens of all turns together, at least 1
 * @param maxCostUsd cost of all turns together; null: no cap
 */
public record AgentLimits(
        int maxTurns,
        long maxTokens,
        Duration maxDuration,
        @Nullable BigDecimal maxCostUsd) {

    /** 50 turns, 1,000,000 tokens, 600 s, no cost cap. */
    public static final AgentLimits DEFAULT = new AgentLimits(50, 1_000_000, Duration.ofSeconds(600), null);
}
