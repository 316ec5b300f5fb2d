/** Stopping early: what is done, and the cells that are closed without asking anybody. */
@NullMarked
package dev.assay.store.stop;

import org.jspecify.annotations.NullMarked;
