/** The results of a campaign: tallies, summaries, and the exit code that follows. */
@NullMarked
package dev.assay.domain.report;

import org.jspecify.annotations.NullMarked;
