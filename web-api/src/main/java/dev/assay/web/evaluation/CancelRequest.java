package dev.assay.web.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.Problems;
import org.jspecify.annotations.Nullable;

/** The request to cancel an evaluation or a branch. */
final class CancelRequest {

    private static final Fields FIELDS = Fields.of("cancellation", "branch");

    private CancelRequest() {}

    /**
     * The branch to cancel; null: the whole evaluation.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT with all errors
     */
    static @Nullable String branch(JsonNode document) {
        Problems problems = new Problems();
        String branch = FieldReader.of(document, "", FIELDS, problems).nullableText("branch");
        problems.throwIfAny(FIELDS.kind());
        return branch;
    }
}
