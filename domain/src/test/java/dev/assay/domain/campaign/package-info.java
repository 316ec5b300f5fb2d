/** Tests of {@code dev.assay.domain.campaign}. */
@NullMarked
package dev.assay.domain.campaign;

import org.jspecify.annotations.NullMarked;
