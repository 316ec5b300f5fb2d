/** Stopping early: the cells that are done, and those that are closed without a request. */
@NullMarked
package dev.assay.store.stop;

import org.jspecify.annotations.NullMarked;
