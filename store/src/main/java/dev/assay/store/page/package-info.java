/** Pages of lists, found again by the place of their last item instead of a count of rows. */
@NullMarked
package dev.assay.store.page;

import org.jspecify.annotations.NullMarked;
