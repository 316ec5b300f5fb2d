/** Outages: which ends of calls are signals of one, when a pool is down, who probes it, and which attempts are none. */
@NullMarked
package dev.assay.domain.limit.outage;

import org.jspecify.annotations.NullMarked;
