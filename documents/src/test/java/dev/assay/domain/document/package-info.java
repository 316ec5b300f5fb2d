/** Tests of {@code dev.assay.domain.document}. */
@NullMarked
package dev.assay.domain.document;

import org.jspecify.annotations.NullMarked;
