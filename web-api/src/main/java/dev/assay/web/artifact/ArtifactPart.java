package dev.assay.web.artifact;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.FieldError;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A part of the directory of a run. */
enum ArtifactPart {
    /** The directories of trials. */
    TRIALS,
    /** The aggregates of cases, and the summary. */
    TOTALS;

    /**
     * The parts of a word.
     *
     * @param word null: all
     * @throws AssayException INVALID_INPUT when there is none
     */
    static Set<ArtifactPart> of(@Nullable String word) {
        return switch (word) {
            case null -> EnumSet.allOf(ArtifactPart.class);
            case "trials" -> EnumSet.of(TRIALS);
            case "totals" -> EnumSet.of(TOTALS);
            default ->
                throw AssayException.invalid(
                        "A parameter of the request is not valid",
                        List.of(new FieldError("part", "Write trials or totals, or leave it out for both")));
        };
    }
}
