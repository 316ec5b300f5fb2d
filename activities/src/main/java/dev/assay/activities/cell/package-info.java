/** What every kind of cell goes through: claims, batches, the ledger around each call, how a cell is stopped. */
@NullMarked
package dev.assay.activities.cell;

import org.jspecify.annotations.NullMarked;
