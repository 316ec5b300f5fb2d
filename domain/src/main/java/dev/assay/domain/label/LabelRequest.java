package dev.assay.domain.label;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.error.AssayException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A label as a request says it.
 *
 * @param check null: the trial as a whole
 * @param labeller null: who sends the request
 * @param sample the sample that asked for it; null: none
 */
public record LabelRequest(
        LabelValue value,
        @Nullable String check,
        @Nullable String labeller,
        @Nullable String note,
        @Nullable String sample) {

    private static final String WHAT = "label";

    private static final Fields FIELDS = Fields.of(WHAT, "verdict", "score", "check", "labeller", "note", "sample");

    private static final Map<String, LabelValue> VERDICTS =
            Map.of("pass", LabelValue.PASS, "fail", LabelValue.FAIL, "unsure", LabelValue.UNSURE);

    private static final NumberRule SCORE = NumberRule.between(0, 1);

    /**
     * Reads a user's document.
     *
     * @throws AssayException INVALID_INPUT with all errors
     */
    public static LabelRequest read(JsonNode document) {
        Problems problems = new Problems();
        FieldReader fields = FieldReader.of(document, "", FIELDS, problems);
        LabelValue value = value(fields);
        LabelRequest request = new LabelRequest(
                value,
                text(fields, "check", LabelRules::nameProblem),
                text(fields, "labeller", LabelRules::nameProblem),
                text(fields, "note", LabelRules::noteProblem),
                text(fields, "sample", LabelRules::nameProblem));
        problems.throwIfAny(WHAT);
        return request;
    }

    private static LabelValue value(FieldReader fields) {
        boolean hasVerdict = fields.hasValue("verdict");
        if (hasVerdict == fields.hasValue("score")) {
            fields.problem(
                    "verdict", "must be pass, fail or unsure, or there must be a score from 0 to 1 in its place.");
            return LabelValue.UNSURE;
        }
        if (hasVerdict) {
            return fields.word("verdict", VERDICTS, LabelValue.UNSURE);
        }
        BigDecimal score = fields.decimal("score", SCORE);
        return score == null ? LabelValue.UNSURE : new LabelValue(score.doubleValue());
    }

    private static @Nullable String text(
            FieldReader fields, String name, Function<String, @Nullable String> problemOf) {
        if (!fields.hasValue(name)) {
            return null;
        }
        String text = fields.anyText(name);
        String wrong = problemOf.apply(text);
        if (wrong != null && !fields.isWrong(name)) {
            fields.problem(name, wrong + ".");
        }
        return text;
    }
}
