package dev.assay.domain.label;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A label as a line of a file says it.
 *
 * @param line the line on which it begins, from 1
 * @param check null: the trial as a whole
 * @param labeller null: the file does not say
 * @param at when it was made; null: now
 */
public record LabelLine(
        long line,
        Target target,
        @Nullable String check,
        LabelValue value,
        @Nullable String labeller,
        @Nullable String note,
        @Nullable Instant at) {

    /** What a label is said of. */
    public sealed interface Target {}

    /**
     * A cell of a campaign.
     *
     * @param campaign null: the file does not say
     * @param branch null: the only one
     * @param trial from 1
     */
    public record Cell(
            @Nullable String campaign,
            String caseId,
            @Nullable String branch,
            int trial) implements Target {}

    /** An item of a sample. */
    public record Item(@Nullable String campaign, String name) implements Target {}
}
