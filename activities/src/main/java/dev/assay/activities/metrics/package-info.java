/** The counters of a worker for monitoring: calls, permits and selections (docs/operations.md). */
@NullMarked
package dev.assay.activities.metrics;

import org.jspecify.annotations.NullMarked;
