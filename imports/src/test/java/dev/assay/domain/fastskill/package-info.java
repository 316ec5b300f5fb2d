/** Tests of {@code dev.assay.domain.fastskill}. */
@NullMarked
package dev.assay.domain.fastskill;

import org.jspecify.annotations.NullMarked;
