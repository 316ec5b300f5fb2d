/** Suites and their cases. Immutable once stored. */
@NullMarked
package dev.assay.domain.suite;

import org.jspecify.annotations.NullMarked;
