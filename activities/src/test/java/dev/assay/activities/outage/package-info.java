/** Outages as one worker sees them. */
@NullMarked
package dev.assay.activities.outage;

import org.jspecify.annotations.NullMarked;
