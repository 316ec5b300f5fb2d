/** Leases on permits. */
@NullMarked
package dev.assay.store.permit;

import org.jspecify.annotations.NullMarked;
