/** Permits: the division of the right to have calls in flight among workers. */
@NullMarked
package dev.assay.domain.permit;

import org.jspecify.annotations.NullMarked;
