/**
 * The statistics of rates: what they are worth, how sure they are, and what judges agree on. Pure formulas, no random number.
 * What is not defined is null, and the function's documentation says when.
 */
@NullMarked
package dev.assay.domain.statistics;

import org.jspecify.annotations.NullMarked;
