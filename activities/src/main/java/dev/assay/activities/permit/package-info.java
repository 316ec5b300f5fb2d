/** Permits: how many calls this worker may have in flight, of which pool, on a lease that it shares with other workers. */
@NullMarked
package dev.assay.activities.permit;

import org.jspecify.annotations.NullMarked;
