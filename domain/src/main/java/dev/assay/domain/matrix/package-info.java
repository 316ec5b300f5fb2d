/** What every cell of a campaign came to, in one byte each: a million cells are a megabyte. */
@NullMarked
package dev.assay.domain.matrix;

import org.jspecify.annotations.NullMarked;
