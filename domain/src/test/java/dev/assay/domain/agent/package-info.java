/** Tests of {@code dev.assay.domain.agent}. */
@NullMarked
package dev.assay.domain.agent;

import org.jspecify.annotations.NullMarked;
