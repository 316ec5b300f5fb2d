/** Checks that a model decides: what users write of them. Who is asked, and what a reply says, is told by {@code domain.grading}. */
@NullMarked
package dev.assay.domain.check.graded;

import org.jspecify.annotations.NullMarked;
