/** Recorded answers, and their lookup. */
@NullMarked
package dev.assay.domain.replay;

import org.jspecify.annotations.NullMarked;
