/** Streams of events: one reader of the stores for all that watch the same thing, and a bounded number of streams. */
@NullMarked
package dev.assay.web.stream;

import org.jspecify.annotations.NullMarked;
