/** Streams of events: one reader of the stores for all who watch the same thing, and a bounded number of streams. */
@NullMarked
package dev.assay.web.stream;

import org.jspecify.annotations.NullMarked;
