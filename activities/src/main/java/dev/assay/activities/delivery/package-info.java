/** Cells that are out in batches of their providers: enlisted, handed over once, looked at, collected. */
@NullMarked
package dev.assay.activities.delivery;

import org.jspecify.annotations.NullMarked;
