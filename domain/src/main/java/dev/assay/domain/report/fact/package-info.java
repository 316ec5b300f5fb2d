/** The facts of which a report is added up: how outcomes ended and what was selected, one by one or in groups. */
@NullMarked
package dev.assay.domain.report.fact;

import org.jspecify.annotations.NullMarked;
