/** What a campaign that has not run would say: run again, or planned with so many cases and trials. Pure. */
@NullMarked
package dev.assay.domain.statistics.forecast;

import org.jspecify.annotations.NullMarked;
