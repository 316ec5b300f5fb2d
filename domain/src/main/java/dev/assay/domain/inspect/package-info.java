/** Reads data sets in the form of Inspect, and writes them as campaign files. */
@NullMarked
package dev.assay.domain.inspect;

import org.jspecify.annotations.NullMarked;
