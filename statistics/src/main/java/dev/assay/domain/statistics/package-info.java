/**
 * The statistics of rates: their worth, their intervals, and the agreement of judges. Pure formulas, no random number. Undefined
 * values are null, and the function's documentation says when.
 */
@NullMarked
package dev.assay.domain.statistics;

import org.jspecify.annotations.NullMarked;
