/** How the trials of a case become one number, by the names that users write. Pure. */
@NullMarked
package dev.assay.domain.reducer;

import org.jspecify.annotations.NullMarked;
