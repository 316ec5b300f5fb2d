/** Writing and reading outcomes. */
@NullMarked
package dev.assay.store.outcome;

import org.jspecify.annotations.NullMarked;
