/** Reducers: each makes one number of the trials of a case, by the names that users write. Pure. */
@NullMarked
package dev.assay.domain.reducer;

import org.jspecify.annotations.NullMarked;
