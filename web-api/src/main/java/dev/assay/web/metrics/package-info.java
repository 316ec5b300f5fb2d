/** What the server counts of the store, for whoever watches it (docs/operations.md). */
@NullMarked
package dev.assay.web.metrics;

import org.jspecify.annotations.NullMarked;
