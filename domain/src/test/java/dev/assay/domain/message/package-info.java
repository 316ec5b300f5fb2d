/** Tests of {@code dev.assay.domain.message}. */
@NullMarked
package dev.assay.domain.message;

import org.jspecify.annotations.NullMarked;
