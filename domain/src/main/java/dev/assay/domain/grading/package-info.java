/** Has checks decided by models: what a grader is asked next, what its reply says, and what the checks of an outcome come to then. */
@NullMarked
package dev.assay.domain.grading;

import org.jspecify.annotations.NullMarked;
