package dev.assay.store.outage;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage.Reason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pool that is down, for all workers or for one.
 *
 * @param workerId the only worker that gets no answer; null: none gets one
 * @param since from when on
 * @param age how long that is, by PostgreSQL's clock
 * @param signal what the last failed call said
 * @param untilProbe until it may be probed, at least 0
 * @param hasOtherWorkers whether other workers live, which may get an answer; they need not ask the pool yet
 */
public record StoredOutage(
        ModelPool pool,
        @Nullable String workerId,
        Reason reason,
        Instant since,
        Duration age,
        String signal,
        Duration untilProbe,
        boolean hasOtherWorkers) {}
