/** Rules on one response, and their results. Only rules that need no I/O. */
@NullMarked
package dev.assay.domain.check;

import org.jspecify.annotations.NullMarked;
