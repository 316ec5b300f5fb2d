/** The trace of an agent, and the files that it left behind: the evidence that checks search. */
@NullMarked
package dev.assay.domain.trace;

import org.jspecify.annotations.NullMarked;
