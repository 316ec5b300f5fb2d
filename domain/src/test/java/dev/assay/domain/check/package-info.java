/** Tests of {@code dev.assay.domain.check}. */
@NullMarked
package dev.assay.domain.check;

import org.jspecify.annotations.NullMarked;
