package dev.assay.domain.check.text;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import java.util.Set;

/** The response begins with {@code value}, white space included. */
public record StartsWithRule(String value) implements CheckRule {

    public static final CheckKind KIND = new CheckKind(
            "starts-with",
            1,
            Set.of("value"),
            StartsWithRule.class,
            fields -> new StartsWithRule(ExpectedText.one(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return Finding.of(
                input.response().startsWith(value),
                "The response begins with " + Quote.of(value) + ".",
                "Expected a response that begins with " + Quote.of(value) + ", but found "
                        + Quote.ofResponse(input.response()) + ".");
    }
}
