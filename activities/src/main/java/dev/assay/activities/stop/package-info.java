/** Stopping early, in a worker. It checks which cells are still needed before it claims them, and again before it asks. */
@NullMarked
package dev.assay.activities.stop;

import org.jspecify.annotations.NullMarked;
