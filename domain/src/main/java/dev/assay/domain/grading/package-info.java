/** Checks that are decided after the answer, by models or own code: what they are asked, what they said, and all results. */
@NullMarked
package dev.assay.domain.grading;

import org.jspecify.annotations.NullMarked;
