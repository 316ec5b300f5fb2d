/** Logs of Inspect AI. Pure. */
@NullMarked
package dev.assay.domain.results.inspect;

import org.jspecify.annotations.NullMarked;
