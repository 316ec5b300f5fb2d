package dev.assay.domain.check.graded;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A model, the grader, says whether the response is what {@code value} describes. It is asked after the response is on record; until
 * then the check is unscored.
 *
 * @param question what the grader is asked
 * @param value the rubric, the facts or the criterion; not blank
 * @param threshold the least score that passes, 0–1; null: the grader says itself whether it passes. Null for all but {@link Question#RUBRIC}
 * @param grader who is asked, as users write it; null: the campaign's grader
 */
public record GradedRule(
        @JsonIgnore Question question,
        String value,
        @Nullable BigDecimal threshold,
        @Nullable JsonNode grader) implements CheckRule {

    private static final String RUBRIC = "rubric";
    private static final String GRADER = "grader";
    private static final NumberRule SHARE = NumberRule.between(0, 1);

    /** The words of its kinds. */
    public static final Set<String> WORDS = kinds().map(CheckKind::word).collect(Collectors.toUnmodifiableSet());

    /** What graders are asked. */
    public enum Question {
        /** How well the response meets a rubric. */
        RUBRIC("rubric", Set.of("value", GradedRule.RUBRIC, "threshold", GRADER)),
        /** How the facts of the response compare with those of the value. */
        FACTUALITY("factuality", Set.of("value", GRADER)),
        /** Whether the response meets a criterion. */
        CLOSED_QA("closed-qa", Set.of("value", GRADER));

        @SuppressWarnings("ImmutableEnumChecker")
        private final CheckKind kind;

        Question(String word, Set<String> fields) {
            this.kind = new CheckKind(word, fields, this::stored, this::read);
        }

        /** The word that users write as {@code type}. */
        public String word() {
            return kind.word();
        }

        private GradedRule stored(JsonNode json) {
            return new GradedRule(
                    this,
                    json.get("value").textValue(),
                    json.hasNonNull("threshold") ? json.get("threshold").decimalValue() : null,
                    json.hasNonNull(GRADER) ? json.get(GRADER) : null);
        }

        private GradedRule read(FieldReader fields) {
            return new GradedRule(
                    this,
                    fields.text(field(fields)),
                    this == RUBRIC ? fields.decimal("threshold", SHARE) : null,
                    grader(fields));
        }

        /** Whether it names a grader is checked where the campaign is known. */
        private static @Nullable JsonNode grader(FieldReader fields) {
            JsonNode grader = fields.node(GRADER);
            if (grader != null && !grader.isObject()) {
                fields.problem(
                        GRADER,
                        "`grader` must be an object with fields such as provider, model, but is "
                                + ActualValue.describe(grader) + ".");
            }
            return grader;
        }

        /** A rubric may be written under its own name. */
        private String field(FieldReader fields) {
            if (this != RUBRIC || !fields.has(GradedRule.RUBRIC)) {
                return "value";
            }
            if (fields.has("value")) {
                fields.problem(GradedRule.RUBRIC, "Write either `value` or `rubric`, not both.");
            }
            return GradedRule.RUBRIC;
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
        return Finding.unscored("The grader has not been asked yet.");
    }
}
