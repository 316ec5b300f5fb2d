/** Runs challengers: asks for the scores of a batch of hypotheses, and once more for the invalid ones. */
@NullMarked
package dev.assay.activities.hypothesis;

import org.jspecify.annotations.NullMarked;
