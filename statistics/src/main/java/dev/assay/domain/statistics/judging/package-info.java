/** The trust that judges deserve: their preference for places, agreement with each other and with people, and what pairs say. Pure. */
@NullMarked
package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.NullMarked;
