/** Streams: of events, with one reader of the stores for all that watch the same thing, and of bytes, written while they are read. */
@NullMarked
package dev.assay.web.stream;

import org.jspecify.annotations.NullMarked;
