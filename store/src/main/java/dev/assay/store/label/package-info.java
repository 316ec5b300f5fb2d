/** Labels of draws, samples of them, and what calibration reads. */
@NullMarked
package dev.assay.store.label;

import org.jspecify.annotations.NullMarked;
