package dev.assay.domain.check;

import dev.assay.domain.text.WhiteSpace;
import java.util.Set;

/** The response equals {@code value}, apart from white space around it. */
public record EqualsRule(String value) implements CheckRule {

    static final CheckKind KIND = new CheckKind(
            "equals", Set.of("value"), EqualsRule.class, fields -> new EqualsRule(fields.anyText("value")));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return Finding.of(
                WhiteSpace.trim(input.response()).equals(WhiteSpace.trim(value)),
                "The response is " + Quote.of(value) + ".",
                "Expected " + Quote.of(value) + ", but found " + Quote.ofResponse(input.response()) + ".");
    }
}
