/** What a report is added up of: how outcomes ended and what was selected, one by one or in groups. */
@NullMarked
package dev.assay.domain.report.fact;

import org.jspecify.annotations.NullMarked;
