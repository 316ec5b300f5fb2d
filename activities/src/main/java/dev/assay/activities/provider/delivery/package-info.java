/**
 * The batch APIs of providers, spoken by Assay itself. A call is sent once and never retried here: what a lost answer means depends on
 * the step, and its caller decides.
 */
@NullMarked
package dev.assay.activities.provider.delivery;

import org.jspecify.annotations.NullMarked;
