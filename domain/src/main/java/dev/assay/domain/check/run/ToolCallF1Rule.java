package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The harmonic mean of precision and recall of the tools that the answer called, against those that {@code value} names. It is also
 * the score. How often and in which order tools were called does not count.
 *
 * @param threshold the least score that passes, 0–1
 */
public record ToolCallF1Rule(List<String> value, BigDecimal threshold) implements RunRule {

    private static final NumberRule SHARE = NumberRule.between(0, 1);

    public static final CheckKind KIND =
            new CheckKind("tool-call-f1", 1, Set.of("value", "threshold"), ToolCallF1Rule.class, ToolCallF1Rule::read);

    public ToolCallF1Rule {
        value = List.copyOf(value);
    }

    private static ToolCallF1Rule read(FieldReader fields) {
        BigDecimal threshold = fields.decimal("threshold", SHARE);
        return new ToolCallF1Rule(ToolNames.read(fields), threshold == null ? BigDecimal.ONE : threshold);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        Set<String> called = CalledTools.of(input);
        if (called == null) {
            return ToolNames.NOT_KNOWN;
        }
        Set<String> wanted = new HashSet<>(value);
        long shared = wanted.stream().filter(called::contains).count();
        double precision = called.isEmpty() ? 0 : (double) shared / called.size();
        double recall = wanted.isEmpty() ? 0 : (double) shared / wanted.size();
        double f1 = shared == 0 ? 0 : 2 * precision * recall / (precision + recall);
        return Finding.ofScore(
                f1,
                threshold.doubleValue(),
                String.format(
                        Locale.ROOT,
                        "F1 of the calls is %.3f (expected %s, found %s); at least %s passes.",
                        f1,
                        Quote.of(String.join(", ", value)),
                        ToolNames.shown(called),
                        threshold.toPlainString()));
    }

    /** The score stays the measure when the check is negated. */
    @Override
    public Finding negated(Finding found) {
        return found.negated().withScore(found.score());
    }
}
