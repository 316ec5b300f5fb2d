/** Tests of {@code dev.assay.domain.replay}. */
@NullMarked
package dev.assay.domain.replay;

import org.jspecify.annotations.NullMarked;
