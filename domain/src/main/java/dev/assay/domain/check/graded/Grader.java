package dev.assay.domain.check.graded;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import org.jspecify.annotations.Nullable;

/** The field that graded checks have in common. */
final class Grader {

    static final String FIELD = "grader";

    static final Finding NOT_ASKED = Finding.unscored("The grader has not been asked yet.");

    private Grader() {}

    /** Reads the field. Whether it names a grader is checked where the campaign is known. */
    static @Nullable JsonNode read(FieldReader fields) {
        JsonNode grader = fields.node(FIELD);
        if (grader != null && !grader.isObject()) {
            fields.problem(
                    FIELD,
                    "`grader` must be an object with fields such as provider, model, but is "
                            + ActualValue.describe(grader) + ".");
        }
        return grader;
    }

    static @Nullable JsonNode stored(JsonNode json) {
        return json.hasNonNull(FIELD) ? json.get(FIELD) : null;
    }
}
