/** Recorded answers and how they are found again. */
@NullMarked
package dev.assay.domain.replay;

import org.jspecify.annotations.NullMarked;
