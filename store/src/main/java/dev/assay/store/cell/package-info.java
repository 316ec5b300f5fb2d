/** Cells: their claims, and their attempts. */
@NullMarked
package dev.assay.store.cell;

import org.jspecify.annotations.NullMarked;
