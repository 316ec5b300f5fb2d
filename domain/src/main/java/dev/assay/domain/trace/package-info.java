/** What an agent did on the way to its answer, and what it left behind: the evidence that checks search. */
@NullMarked
package dev.assay.domain.trace;

import org.jspecify.annotations.NullMarked;
