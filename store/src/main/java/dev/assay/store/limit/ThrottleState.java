package dev.assay.store.limit;

import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.ModelPool;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pool that has refused something, as it stands.
 *
 * @param blockedUntil null: it is not blocked
 * @param goesElsewhere whether its group has another account that is not blocked
 * @param isNamed whether its models are a pattern of the settings of a live worker
 * @param rateRefusals those of the last ten minutes that named a limit
 * @param concurrencyRefusals those of the last ten minutes that named none
 */
public record ThrottleState(
        ModelPool pool,
        @Nullable Instant blockedUntil,
        boolean goesElsewhere,
        boolean isNamed,
        AdaptiveConcurrency concurrency,
        long rateRefusals,
        long concurrencyRefusals) {}
