/** What a worker counts of its calls, permits and selections, for whoever watches it (docs/operations.md). */
@NullMarked
package dev.assay.activities.metrics;

import org.jspecify.annotations.NullMarked;
