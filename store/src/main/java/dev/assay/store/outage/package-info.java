/** Outages: what workers see of the pools that they ask, and which of these are down. */
@NullMarked
package dev.assay.store.outage;

import org.jspecify.annotations.NullMarked;
