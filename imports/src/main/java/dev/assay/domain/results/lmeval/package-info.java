/** Samples of the lm-evaluation-harness. Pure. */
@NullMarked
package dev.assay.domain.results.lmeval;

import org.jspecify.annotations.NullMarked;
