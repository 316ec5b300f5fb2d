/** The steps that cells of every kind share: claims, batches, the ledger around each call, stopping. */
@NullMarked
package dev.assay.activities.cell;

import org.jspecify.annotations.NullMarked;
