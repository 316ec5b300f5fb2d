/** Tests of reducers. */
@NullMarked
package dev.assay.domain.reducer;

import org.jspecify.annotations.NullMarked;
