/** Files of results as streams of tokens, which can be read again in parts. Who opens them is elsewhere. Pure. */
@NullMarked
package dev.assay.domain.results.source;

import org.jspecify.annotations.NullMarked;
