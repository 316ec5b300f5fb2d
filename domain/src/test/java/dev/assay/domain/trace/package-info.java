/** Tests of {@code dev.assay.domain.trace}. */
@NullMarked
package dev.assay.domain.trace;

import org.jspecify.annotations.NullMarked;
