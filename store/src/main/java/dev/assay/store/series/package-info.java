/** The speed of campaigns, counted with the results. */
@NullMarked
package dev.assay.store.series;

import org.jspecify.annotations.NullMarked;
