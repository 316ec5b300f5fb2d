/** What users change about a campaign that runs: verbs, limits, outcomes to make again. */
@NullMarked
package dev.assay.domain.steering;

import org.jspecify.annotations.NullMarked;
