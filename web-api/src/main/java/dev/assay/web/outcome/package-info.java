/** Results over HTTP: outcomes, transcripts, what judges read, cassettes. */
@NullMarked
package dev.assay.web.outcome;

import org.jspecify.annotations.NullMarked;
