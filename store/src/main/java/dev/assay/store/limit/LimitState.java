package dev.assay.store.limit;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitRoom;
import dev.assay.domain.limit.ModelPool;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A pool that has limits, as it stands.
 *
 * @param known where its limits come from
 * @param waiting calls of all workers that wait for units, as they said within the last second
 * @param waitingSince when the worker that has waited longest got its last units, or first asked; null: none waits
 * @param holding the limit that holds the first of them; null: none waits
 * @param sinceGrant since units were last granted to one that waits; zero: none waits
 */
public record LimitState(
        ModelPool pool,
        Map<LimitKind, KnownLimit> known,
        List<LimitRoom> limits,
        long waiting,
        @Nullable Instant waitingSince,
        @Nullable LimitKind holding,
        Duration sinceGrant) {

    public LimitState {
        known = Map.copyOf(known);
        limits = List.copyOf(limits);
    }

    /** Whether people named limits of it, in the settings or by hand. The others only answers say. */
    public boolean isNamed() {
        return known.values().stream().anyMatch(limit -> limit.configured() != null || limit.manual() != null);
    }

    /** Where a limit of it comes from. */
    public KnownLimit known(LimitKind kind) {
        return requireNonNull(known.get(kind));
    }
}
