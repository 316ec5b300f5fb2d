package dev.assay.domain.campaign;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A time of which a campaign's records are lost, because the store went back to an earlier state.
 *
 * @param from its begin, by the store's clock, at most seconds too early; null: not known
 */
public record LostTime(@Nullable Instant from, Instant until) {}
