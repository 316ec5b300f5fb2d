/** The cut of a campaign into work: trial numbers, their order, ranges of them, batch sizes, delays of retries, where a suspected cell may run. */
@NullMarked
package dev.assay.domain.plan;

import org.jspecify.annotations.NullMarked;
