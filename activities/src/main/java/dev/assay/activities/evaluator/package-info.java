/** The names of evaluators that this worker's verdicts bear. */
@NullMarked
package dev.assay.activities.evaluator;

import org.jspecify.annotations.NullMarked;
