package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The model ended its last answer because of {@code value}; upper and lower case, and the words of different providers, are the same. */
public record FinishReasonRule(String value) implements RunRule {

    public static final CheckKind KIND = new CheckKind(
            "finish-reason",
            1,
            Set.of("value"),
            FinishReasonRule.class,
            fields -> new FinishReasonRule(fields.text("value")));

    /** Words of providers for reasons that have one of their own here. */
    private static final Map<String, String> SAME = Map.of(
            "end_turn", "stop",
            "stop_sequence", "stop",
            "max_tokens", "length",
            "max_output_tokens", "length",
            "tool_use", "tool_calls",
            "tool_execution", "tool_calls",
            "function_call", "tool_calls",
            "safety", "content_filter",
            "refusal", "content_filter");

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        String reason = input.finishReason();
        if (reason == null) {
            return Finding.unscored("Why the model ended its answer is not known.");
        }
        return Finding.of(
                common(reason).equals(common(value)),
                "The model ended its answer with the reason " + Quote.of(reason) + ".",
                "Expected the finish reason " + Quote.of(value) + ", but found " + Quote.of(reason) + ".");
    }

    private static String common(String reason) {
        String word = reason.strip().toLowerCase(Locale.ROOT);
        return SAME.getOrDefault(word, word);
    }
}
