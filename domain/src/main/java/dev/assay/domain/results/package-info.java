/** Finished results of other tools: their neutral form, their verdicts, and their own numbers beside ours. Pure. */
@NullMarked
package dev.assay.domain.results;

import org.jspecify.annotations.NullMarked;
