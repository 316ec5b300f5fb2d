/** Outages, as this worker sees them: which of its pools are down, what their cells wait for, and who probes. */
@NullMarked
package dev.assay.activities.outage;

import org.jspecify.annotations.NullMarked;
