/** Permits: the number of calls that this worker may have in flight in each pool, on a lease that it shares with other workers. */
@NullMarked
package dev.assay.activities.permit;

import org.jspecify.annotations.NullMarked;
