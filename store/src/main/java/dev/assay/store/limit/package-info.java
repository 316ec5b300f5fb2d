/** Limits of providers: the units that were spent, and the workers that wait for some. */
@NullMarked
package dev.assay.store.limit;

import org.jspecify.annotations.NullMarked;
