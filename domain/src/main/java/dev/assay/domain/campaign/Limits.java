package dev.assay.domain.campaign;

import java.math.BigDecimal;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of a campaign.
 *
 * @param maxConcurrent model calls in flight, judge calls included, 1–10,000
 * @param budgetUsd what all calls together may cost; null: no budget
 * @param timeout time of one cell, across its turns, of one attempt
 * @param maxAttempts attempts of one cell, 1–100
 */
public record Limits(int maxConcurrent, @Nullable BigDecimal budgetUsd, Duration timeout, int maxAttempts) {

    /** 20 in flight, no budget, 300 s, 5 attempts (design §4). */
    public static final Limits DEFAULT = new Limits(20, null, Duration.ofSeconds(300), 5);
}
