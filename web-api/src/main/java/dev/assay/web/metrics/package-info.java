/** Counters of the store for monitoring (docs/operations.md). */
@NullMarked
package dev.assay.web.metrics;

import org.jspecify.annotations.NullMarked;
