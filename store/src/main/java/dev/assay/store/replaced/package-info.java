/** The results that re-runs replaced. */
@NullMarked
package dev.assay.store.replaced;

import org.jspecify.annotations.NullMarked;
