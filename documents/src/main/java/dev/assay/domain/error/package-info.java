/** Errors: one classification for workflows, HTTP, the command line and metrics. */
@NullMarked
package dev.assay.domain.error;

import org.jspecify.annotations.NullMarked;
