package dev.assay.store.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.WorkerSight;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool that a worker asks.
 *
 * @param sight what it sees there, when that is news; null: nothing new
 * @param keys with which it may ask; empty: without one
 * @param words of the last call that failed there; empty: none has
 */
public record SeenPool(
        ModelPool pool, List<KeyMark> keys, @Nullable WorkerSight sight, String words) {

    public SeenPool {
        keys = List.copyOf(keys);
    }
}
