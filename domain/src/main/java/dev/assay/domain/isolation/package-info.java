/** Isolation of programs from the worker that starts them, and from each other: its levels. */
@NullMarked
package dev.assay.domain.isolation;

import org.jspecify.annotations.NullMarked;
