/** Draws: which answer an outcome holds, and where it was first recorded. Pure. */
@NullMarked
package dev.assay.domain.draw;

import org.jspecify.annotations.NullMarked;
