/**
 * Rules of provider batches: how result lines end, how cells become batches, and when cells go live instead. "Batch" alone means the
 * trials of one activity, so names here say delivery or provider batch.
 */
@NullMarked
package dev.assay.domain.delivery;

import org.jspecify.annotations.NullMarked;
