/** The formatter and check of this repository's Java sources. Part of the build, never of the product. */
@NullMarked
package dev.assay.formatting;

import org.jspecify.annotations.NullMarked;
