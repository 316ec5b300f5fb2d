/** What a campaign is and how it is cut into work: definitions, states, trial numbers, batch sizes. */
@NullMarked
package dev.assay.domain.campaign;

import org.jspecify.annotations.NullMarked;
