package dev.assay.domain.check.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.similarity.Bleu;
import dev.assay.domain.similarity.Gleu;
import dev.assay.domain.similarity.RougeN;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;

/**
 * The similarity of the response to the texts {@code value}, by a measure of {@link dev.assay.domain.similarity}; its score is the
 * measure.
 *
 * @param value at least one text; what is as good as another
 * @param threshold the least score that passes, 0–1
 */
public record SimilarityRule(@JsonIgnore Measure measure, List<String> value, BigDecimal threshold)
        implements CheckRule {

    private static final NumberRule SHARE = NumberRule.between(0, 1);

    public SimilarityRule {
        value = List.copyOf(value);
    }

    /** The measures, and the least scores where a check names none. Its functions hold no state. */
    public enum Measure {
        ROUGE_N("rouge-n", "0.75", Measure::rouge),
        BLEU("bleu", "0.5", Bleu::score),
        GLEU("gleu", "0.5", Gleu::score);

        @SuppressWarnings("ImmutableEnumChecker")
        private final CheckKind kind;

        private final BigDecimal threshold;

        @SuppressWarnings("ImmutableEnumChecker")
        private final ToDoubleBiFunction<String, List<String>> score;

        Measure(String word, String threshold, ToDoubleBiFunction<String, List<String>> score) {
            this.kind = new CheckKind(word, 1, Set.of("value", "threshold"), this::stored, this::read);
            this.threshold = new BigDecimal(threshold);
            this.score = score;
        }

        private static double rouge(String candidate, List<String> references) {
            return references.stream()
                    .mapToDouble(reference -> RougeN.score(candidate, reference))
                    .max()
                    .orElse(0);
        }

        private SimilarityRule stored(JsonNode json) {
            List<String> texts = new ArrayList<>();
            json.get("value").forEach(item -> texts.add(item.textValue()));
            return new SimilarityRule(this, texts, json.get("threshold").decimalValue());
        }

        private SimilarityRule read(FieldReader fields) {
            BigDecimal least = fields.decimal("threshold", SHARE);
            return new SimilarityRule(this, ExpectedText.oneOrSeveral(fields), least == null ? threshold : least);
        }
    }

    /** Its kinds. */
    public static Stream<CheckKind> kinds() {
        return Arrays.stream(Measure.values()).map(measure -> measure.kind);
    }

    @Override
    public CheckKind kind() {
        return measure.kind;
    }

    @Override
    public Finding find(CheckInput input) {
        Finding tooLong = ExpectedText.tooLong(input, value);
        if (tooLong != null) {
            return tooLong;
        }
        double score = Math.clamp(measure.score.applyAsDouble(input.response(), value), 0.0, 1.0);
        return Finding.ofScore(
                score,
                threshold.doubleValue(),
                String.format(
                        Locale.ROOT,
                        "%s of the response and %s is %.4f; at least %s passes.",
                        kind().word().toUpperCase(Locale.ROOT),
                        ExpectedText.quoted(value),
                        score,
                        threshold.toPlainString()));
    }
}
