/** Cells: who works on what, and how often it was tried. */
@NullMarked
package dev.assay.store.cell;

import org.jspecify.annotations.NullMarked;
