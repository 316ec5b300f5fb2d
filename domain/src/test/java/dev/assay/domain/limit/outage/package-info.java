/** Outages. */
@NullMarked
package dev.assay.domain.limit.outage;

import org.jspecify.annotations.NullMarked;
