/** Recorded answers. */
@NullMarked
package dev.assay.store.cassette;

import org.jspecify.annotations.NullMarked;
