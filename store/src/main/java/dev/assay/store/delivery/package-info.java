/** Batches of providers, and the cells that are out in them. */
@NullMarked
package dev.assay.store.delivery;

import org.jspecify.annotations.NullMarked;
