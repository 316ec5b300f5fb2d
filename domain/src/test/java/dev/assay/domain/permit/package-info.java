/** Sharing out permits. */
@NullMarked
package dev.assay.domain.permit;

import org.jspecify.annotations.NullMarked;
