/** Hypothesis evaluations: what is scored in which call, and what came of it. */
@NullMarked
package dev.assay.store.hypothesis;

import org.jspecify.annotations.NullMarked;
