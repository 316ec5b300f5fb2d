/** What a campaign came to: tallies, summaries, and the exit code that follows. */
@NullMarked
package dev.assay.domain.report;

import org.jspecify.annotations.NullMarked;
