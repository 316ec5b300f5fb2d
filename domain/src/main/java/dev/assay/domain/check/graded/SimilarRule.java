package dev.assay.domain.check.graded;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckResult.Status;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.document.Problems;
import dev.assay.domain.document.TextRules;
import dev.assay.domain.text.WhiteSpace;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response means what one of {@code value} means: the cosine of the angle between their embeddings, which the grader computes,
 * reaches the threshold. As in promptfoo, a cosine that differs from the threshold by no more than rounding is equal to it.
 *
 * @param value 1–100 texts, none of them blank; the one that is most like the response counts
 * @param threshold the least cosine that passes, 0–1
 * @param grader whose embeddings are compared, as users write it; null: those of the campaign's grader
 */
public record SimilarRule(
        List<String> value, BigDecimal threshold, @Nullable JsonNode grader) implements GradedRule {

    private static final NumberRule SHARE = NumberRule.between(0, 1);
    private static final BigDecimal DEFAULT = new BigDecimal("0.75");

    /** The embeddings of this many texts fit into the bound of a provider's answer. */
    private static final int MOST_TEXTS = 100;

    private static final double ROUNDING = Math.ulp(1.0);

    public static final CheckKind KIND = new CheckKind(
            "similar", 1, Set.of("value", "threshold", Grader.FIELD), SimilarRule::stored, SimilarRule::read);

    public SimilarRule {
        value = List.copyOf(value);
    }

    private static SimilarRule stored(JsonNode json) {
        List<String> texts = new ArrayList<>();
        json.get("value").forEach(item -> texts.add(item.textValue()));
        return new SimilarRule(texts, json.get("threshold").decimalValue(), Grader.stored(json));
    }

    private static SimilarRule read(FieldReader fields) {
        BigDecimal least = fields.decimal("threshold", SHARE);
        JsonNode written = fields.node("value");
        List<String> texts = written != null && written.isArray()
                ? fields.nonEmptyList("value", SimilarRule::text)
                : List.of(fields.text("value"));
        if (texts.size() > MOST_TEXTS) {
            fields.problem(
                    "value",
                    "`value` has " + texts.size() + " texts; compare with at most " + MOST_TEXTS + " in one check.");
        }
        return new SimilarRule(texts, least == null ? DEFAULT : least, Grader.read(fields));
    }

    private static @Nullable String text(JsonNode node, String path, Problems problems) {
        String text = TextRules.textItem(node, path, problems);
        if (text != null && WhiteSpace.isBlank(text)) {
            problems.add(path, "`" + path + "` must not be blank; nothing is like it.");
        }
        return text;
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return WhiteSpace.isBlank(input.response())
                ? Finding.failed("The response is empty, and means nothing that could be similar.")
                : Grader.NOT_ASKED;
    }

    /**
     * The rule's finding on a response.
     *
     * @param similarity the largest of the cosines, −1–1
     */
    public Finding finding(double similarity) {
        String texts =
                value.size() == 1 ? Quote.of(value.getFirst()) : "the most similar of " + value.size() + " texts";
        String reason = String.format(
                Locale.ROOT,
                "The cosine similarity of the response and %s is %.4f; at least %s passes.",
                texts,
                similarity,
                threshold.toPlainString());
        boolean passes = similarity >= threshold.doubleValue() - ROUNDING;
        return new Finding(passes ? Status.PASSED : Status.FAILED, Math.clamp(similarity, 0.0, 1.0), reason);
    }

    /** A similarity exactly at the threshold passes both ways, as in promptfoo. */
    @Override
    public Finding negated(Finding found) {
        Finding negated = found.negated();
        return found.score() != null && found.score() <= threshold.doubleValue() + ROUNDING
                ? new Finding(Status.PASSED, negated.score(), negated.reason(), negated.members())
                : negated;
    }
}
