/** Hypothesis evaluations: their calls, and the results of these. */
@NullMarked
package dev.assay.store.hypothesis;

import org.jspecify.annotations.NullMarked;
