/** Stopping early, in a worker: which cells are still needed is looked at before they are claimed, and again before they are asked. */
@NullMarked
package dev.assay.activities.stop;

import org.jspecify.annotations.NullMarked;
