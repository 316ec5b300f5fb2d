/** Scores lists of hypotheses by a rubric (docs/hypotheses.md): the calls and their questions, the reading of replies, the sums of scores. */
@NullMarked
package dev.assay.domain.hypothesis;

import org.jspecify.annotations.NullMarked;
