/** What one branch produced in one trial, how it ended, and what follows from an attempt that failed. */
@NullMarked
package dev.assay.domain.outcome;

import org.jspecify.annotations.NullMarked;
