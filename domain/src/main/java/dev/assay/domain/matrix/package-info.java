/** The result of every cell of a campaign, in one byte each: a million cells are a megabyte. */
@NullMarked
package dev.assay.domain.matrix;

import org.jspecify.annotations.NullMarked;
