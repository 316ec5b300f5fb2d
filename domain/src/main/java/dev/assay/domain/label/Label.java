package dev.assay.domain.label;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A label: what a person says of a draw.
 *
 * @param check the metric or type of the check that the person decided; null: the trial as a whole
 * @param sample the sample that asked for it; null: the person chose the trial
 */
public record Label(
        LabelValue value,
        @Nullable String check,
        String labeller,
        @Nullable String note,
        @Nullable String sample,
        Instant at) {}
