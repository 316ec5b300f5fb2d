/** What is read of past batches. */
@NullMarked
package dev.assay.store.delivery;

import org.jspecify.annotations.NullMarked;
