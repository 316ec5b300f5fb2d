package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import java.util.Set;

/** The response contains {@code value}. */
public record ContainsRule(String value) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "contains", 1, Set.of("value"), ContainsRule.class, fields -> new ContainsRule(ExpectedText.one(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public long comparisons() {
        return value.length();
    }

    @Override
    public Finding find(CheckInput input) {
        return finding(input.response().contains(value), value, "", input.response());
    }

    /** @param how differences that do not count, as the end of a sentence; empty: all count */
    static Finding finding(boolean contained, String value, String how, String response) {
        return Finding.of(
                contained,
                "The response contains " + Quote.of(value) + how + ".",
                "Expected a response that contains " + Quote.of(value) + how + ", but found "
                        + Quote.ofResponse(response) + ".");
    }
}
