/** Stored answers that stand in for new ones. */
@NullMarked
package dev.assay.store.reuse;

import org.jspecify.annotations.NullMarked;
