/** Forecasts of a campaign that has not run: run again, or planned with so many cases and trials. Pure. */
@NullMarked
package dev.assay.domain.statistics.forecast;

import org.jspecify.annotations.NullMarked;
