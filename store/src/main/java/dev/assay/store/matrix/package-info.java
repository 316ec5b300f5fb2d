/** Matrices of results: noted with the results themselves, in the same transactions, and read without reading the results. */
@NullMarked
package dev.assay.store.matrix;

import org.jspecify.annotations.NullMarked;
