package dev.assay.activities.permit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.ConcurrencyRange;

/**
 * The pool of a call, which refusals may block for all workers.
 *
 * @param pool that of the account {@code default}: what refuses one account stops all
 * @param range of its calls in flight
 * @param learns whether limits are taken from its answers
 */
public record BoundedCalls(ModelPool pool, ConcurrencyRange range, boolean learns) {}
