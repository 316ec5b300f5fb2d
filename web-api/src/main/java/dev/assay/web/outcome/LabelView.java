package dev.assay.web.outcome;

import dev.assay.domain.label.Label;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a person says of an answer, in force.
 *
 * @param verdict pass, fail or unsure
 * @param score 0–1; null: unsure
 * @param check metric or type of the check that the person decided; null: the trial as a whole
 * @param labeller who says it
 * @param note why; null: nothing is said
 * @param at when
 * @param sample the sample that asked for it; null: the person chose the answer
 */
public record LabelView(
        String verdict,
        @Nullable Double score,
        @Nullable String check,
        String labeller,
        @Nullable String note,
        Instant at,
        @Nullable String sample) {

    /** As clients see it. */
    public static LabelView of(Label label) {
        return new LabelView(
                label.value().verdict().text(),
                label.value().score(),
                label.check(),
                label.labeller(),
                label.note(),
                label.at(),
                label.sample());
    }
}
