/**
 * Scores lists of hypotheses by a rubric (semantics C): who is asked what in which call, how replies are read, what the scores
 * add up to.
 */
@NullMarked
package dev.assay.domain.hypothesis;

import org.jspecify.annotations.NullMarked;
