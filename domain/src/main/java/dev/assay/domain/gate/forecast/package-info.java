/** Forecasts of the verdicts of gates, and of what stopping early saves, before a campaign runs. Pure, without random numbers. */
@NullMarked
package dev.assay.domain.gate.forecast;

import org.jspecify.annotations.NullMarked;
