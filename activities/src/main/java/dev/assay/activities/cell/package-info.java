/** Running cells: claims, permits, the ledger around each call, and the batch that ties them together. */
@NullMarked
package dev.assay.activities.cell;

import org.jspecify.annotations.NullMarked;
