package dev.assay.store.result;

import io.micronaut.core.annotation.Introspected;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Stored answers and calls of a campaign that stand in for new ones.
 *
 * @param cells of branches
 * @param calls of judges and graders
 * @param savedUsd what they cost when they were given, in US dollars; null where no cost is known
 * @param answeredFrom when the first of the answers was given; null: there is none
 * @param answeredTo when the last of them was given
 */
@Introspected
public record CopyCounts(
        long cells,
        long calls,
        @Nullable BigDecimal savedUsd,
        @Nullable Instant answeredFrom,
        @Nullable Instant answeredTo) {}
