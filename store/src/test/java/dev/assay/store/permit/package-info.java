/** Leases on permits, on PostgreSQL. */
@NullMarked
package dev.assay.store.permit;

import org.jspecify.annotations.NullMarked;
