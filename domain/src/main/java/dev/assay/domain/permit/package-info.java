/** Permits: how the right to have calls in flight is shared out among workers. */
@NullMarked
package dev.assay.domain.permit;

import org.jspecify.annotations.NullMarked;
