/** The selection of the winner of a trial: strategies, choices, plans of judge calls (docs/campaign-file.md). */
@NullMarked
package dev.assay.domain.selection;

import org.jspecify.annotations.NullMarked;
