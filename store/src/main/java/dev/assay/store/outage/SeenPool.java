package dev.assay.store.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.WorkerSight;
import org.jspecify.annotations.Nullable;

/**
 * A pool that a worker asks.
 *
 * @param sight what it sees there, when that is news; null: nothing new
 * @param key with which it asks; null: without one
 * @param words of the last call that failed there; empty: none has
 */
public record SeenPool(
        ModelPool pool, @Nullable KeyMark key, @Nullable WorkerSight sight, String words) {}
