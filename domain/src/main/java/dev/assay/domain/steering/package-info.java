/** The changes that users make to a running campaign: verbs, limits, outcomes to make again. */
@NullMarked
package dev.assay.domain.steering;

import org.jspecify.annotations.NullMarked;
