package dev.assay.domain.campaign;

import dev.assay.domain.agent.AgentLimits;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of a campaign.
 *
 * @param maxConcurrent model calls in flight, judge calls included, 1–10,000
 * @param budgetUsd what all calls together may cost; null: no budget
 * @param timeout time of one cell, across its turns, of one attempt
 * @param maxAttempts attempts of one cell, 1–100
 * @param maxOutage how long it waits for a provider that is down before it is paused, 0 to 7 days; 0: its cells fail
 */
public record Limits(
        int maxConcurrent, @Nullable BigDecimal budgetUsd, Duration timeout, int maxAttempts, Duration maxOutage) {

    /** The time that a cell has beyond its loop's own limit, so that the last turn may end. */
    private static final Duration LAST_TURN = Duration.ofSeconds(60);

    private static final Duration MAX_TIMEOUT = Duration.ofDays(1);

    /** The longest that a user may state. */
    public static final Duration MOST_OUTAGE = Duration.ofDays(7);

    /** 20 in flight, no budget, 660 s, 5 attempts, an hour. */
    public static final Limits DEFAULT =
            new Limits(20, null, AgentLimits.DEFAULT.maxDuration().plus(LAST_TURN), 5, Duration.ofHours(1));

    /**
     * The timeout of a cell where the user states none: the default, or a minute more than its longest loop. So a loop reaches its
     * own limit first. At most a day.
     */
    public static Duration timeoutOf(List<Branch> branches) {
        Duration wanted = branches.stream()
                .map(branch -> branch.limits().maxDuration().plus(LAST_TURN))
                .reduce(DEFAULT.timeout(), Limits::longer);
        return wanted.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : wanted;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
