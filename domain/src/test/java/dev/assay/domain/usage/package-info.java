/** Tests of {@code dev.assay.domain.usage}. */
@NullMarked
package dev.assay.domain.usage;

import org.jspecify.annotations.NullMarked;
