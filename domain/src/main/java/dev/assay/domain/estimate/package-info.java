/** The estimated cost of a campaign that has not run, and what its result could show. Pure. */
@NullMarked
package dev.assay.domain.estimate;

import org.jspecify.annotations.NullMarked;
