/** Checks that a model decides, as users write them. {@code domain.grading} knows the prompts, and reads the replies. */
@NullMarked
package dev.assay.domain.check.graded;

import org.jspecify.annotations.NullMarked;
