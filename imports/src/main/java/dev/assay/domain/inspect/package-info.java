/** Data sets in the form of Inspect, read and written as campaign files. */
@NullMarked
package dev.assay.domain.inspect;

import org.jspecify.annotations.NullMarked;
