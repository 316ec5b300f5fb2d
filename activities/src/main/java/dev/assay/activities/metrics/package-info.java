/** What a worker counts of its calls, permits and selections, for monitoring (docs/operations.md). */
@NullMarked
package dev.assay.activities.metrics;

import org.jspecify.annotations.NullMarked;
