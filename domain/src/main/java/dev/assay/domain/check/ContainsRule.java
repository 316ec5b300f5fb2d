package dev.assay.domain.check;

import dev.assay.domain.document.FieldReader;
import java.util.Set;

/** The response contains {@code value}. */
public record ContainsRule(String value) implements CheckRule {

    static final CheckKind KIND =
            new CheckKind("contains", Set.of("value"), ContainsRule.class, fields -> new ContainsRule(wanted(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return finding(input.response().contains(value), value, "", input.response());
    }

    /** @param how what does not count, as the end of a sentence; empty: everything counts */
    static Finding finding(boolean contained, String value, String how, String response) {
        return Finding.of(
                contained,
                "The response contains " + Quote.of(value) + how + ".",
                "Expected a response that contains " + Quote.of(value) + how + ", but found "
                        + Quote.ofResponse(response) + ".");
    }

    /** The text to look for. Every response contains the empty text. */
    static String wanted(FieldReader fields) {
        String value = fields.anyText("value");
        if (value.isEmpty() && !fields.isWrong("value")) {
            fields.problem("value", "`value` must not be empty; every response would pass.");
        }
        return value;
    }
}
