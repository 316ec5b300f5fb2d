/** Tests of {@code dev.assay.domain.text}. */
@NullMarked
package dev.assay.domain.text;

import org.jspecify.annotations.NullMarked;
