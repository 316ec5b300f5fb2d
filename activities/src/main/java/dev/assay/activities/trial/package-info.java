/** Selecting winners: pure strategies, or a judge's reply. */
@NullMarked
package dev.assay.activities.trial;

import org.jspecify.annotations.NullMarked;
