package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.domain.limit.ModelPool;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool that has limits, as it stands.
 *
 * @param waiting calls of all workers that wait for units, as they said within the last second
 * @param holding the limit that holds the first of them; null: none waits
 * @param sinceGrant since units were last granted to one that waits; zero: none waits
 */
public record LimitState(
        ModelPool pool,
        List<LimitRoom> limits,
        long waiting,
        @Nullable LimitKind holding,
        Duration sinceGrant) {

    public LimitState {
        limits = List.copyOf(limits);
    }
}
