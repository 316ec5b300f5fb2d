/** Writes of running cells, committed in groups. */
@NullMarked
package dev.assay.store.journal;

import org.jspecify.annotations.NullMarked;
