/** Checks that models decide: the next question to a grader, the reading of its reply, and the results of an outcome's checks. */
@NullMarked
package dev.assay.domain.grading;

import org.jspecify.annotations.NullMarked;
