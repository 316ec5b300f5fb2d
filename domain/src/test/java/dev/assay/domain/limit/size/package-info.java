/** Sizes of requests. */
@NullMarked
package dev.assay.domain.limit.size;

import org.jspecify.annotations.NullMarked;
