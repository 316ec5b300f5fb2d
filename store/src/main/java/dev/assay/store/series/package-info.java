/** How fast campaigns went, counted with the results. */
@NullMarked
package dev.assay.store.series;

import org.jspecify.annotations.NullMarked;
