/** Two campaigns, or two branches of one, side by side on the cases that they share. Pure. */
@NullMarked
package dev.assay.domain.comparison;

import org.jspecify.annotations.NullMarked;
