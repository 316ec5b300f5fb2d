/** Limits of providers: vectors, fleets and hostile numbers. */
@NullMarked
package dev.assay.domain.limit;

import org.jspecify.annotations.NullMarked;
