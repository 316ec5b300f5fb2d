/** The trust that a judge deserves: its preference for places, and its agreement with people. Pure. */
@NullMarked
package dev.assay.domain.statistics.judging;

import org.jspecify.annotations.NullMarked;
