package dev.assay.store.series;

import io.micronaut.core.annotation.Introspected;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Cells that were finished in a span of time, and the calls that were in flight.
 *
 * @param cells cells that got their final outcome in it
 * @param passed of these, the ones that passed
 * @param failed of these, the ones that ended in MODEL_ERROR or TIMED_OUT
 * @param inFlight calls in flight, the mean of what was counted each 2 s; null: they were not counted, or an earlier build ran
 * @param costUsd sum of their known costs in US dollars; null where none is known
 */
@Introspected
public record SeriesBucket(
        Instant startsAt,
        int seconds,
        long cells,
        long passed,
        long failed,
        @Nullable Double inFlight,
        @Nullable BigDecimal costUsd) {}
