package dev.assay.domain.check.graded;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The grader, a model, says whether the response is what {@code value} describes. It is asked after the response is on record;
 * until then the check is unscored.
 *
 * @param value the rubric, the facts or the criterion; not blank
 * @param threshold the least score that passes, 0–1; null: the grader says itself whether it passes. Null for all but
 *     {@link Question#RUBRIC}
 * @param grader as users write it; null: the campaign's grader
 */
public record QuestionRule(
        @JsonIgnore Question question,
        String value,
        @Nullable BigDecimal threshold,
        @Nullable JsonNode grader) implements GradedRule {

    private static final String RUBRIC = "rubric";
    private static final NumberRule SHARE = NumberRule.between(0, 1);

    /** The question to a grader. */
    public enum Question {
        /** How well the response meets a rubric. */
        RUBRIC("rubric", Set.of("value", QuestionRule.RUBRIC, "threshold", Grader.FIELD)),
        /** How the facts of the response compare with those of the value. */
        FACTUALITY("factuality", Set.of("value", Grader.FIELD)),
        /** Whether the response meets a criterion. */
        CLOSED_QA("closed-qa", Set.of("value", Grader.FIELD));

        @SuppressWarnings("ImmutableEnumChecker")
        private final CheckKind kind;

        Question(String word, Set<String> fields) {
            this.kind = new CheckKind(word, 1, fields, this::stored, this::read);
        }

        /** The word that users write as {@code type}. */
        public String word() {
            return kind.word();
        }

        private QuestionRule stored(JsonNode json) {
            return new QuestionRule(
                    this,
                    json.get("value").textValue(),
                    json.hasNonNull("threshold") ? json.get("threshold").decimalValue() : null,
                    Grader.stored(json));
        }

        private QuestionRule read(FieldReader fields) {
            return new QuestionRule(
                    this,
                    fields.text(field(fields)),
                    this == RUBRIC ? fields.decimal("threshold", SHARE) : null,
                    Grader.read(fields));
        }

        /** A rubric may be written under its own name. */
        private String field(FieldReader fields) {
            if (this != RUBRIC || !fields.has(QuestionRule.RUBRIC)) {
                return "value";
            }
            if (fields.has("value")) {
                fields.problem(QuestionRule.RUBRIC, "Write either `value` or `rubric`, not both.");
            }
            return QuestionRule.RUBRIC;
        }
    }

    /** Its kinds. */
    public static Stream<CheckKind> kinds() {
        return Arrays.stream(Question.values()).map(question -> question.kind);
    }

    @Override
    public CheckKind kind() {
        return question.kind;
    }

    @Override
    public Finding find(CheckInput input) {
        return Grader.NOT_ASKED;
    }
}
