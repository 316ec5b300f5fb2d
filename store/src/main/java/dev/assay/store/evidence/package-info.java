/** The draws of cells that count: the first ones, which re-runs moved away. */
@NullMarked
package dev.assay.store.evidence;

import org.jspecify.annotations.NullMarked;
