package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import java.util.Set;

/** The output or the trace of the agent contains {@code pattern} literally. */
public record CommandContainsRule(String pattern) implements RunRule {

    public static final CheckKind KIND = new CheckKind(
            "command_contains",
            1,
            Set.of("pattern"),
            CommandContainsRule.class,
            fields -> new CommandContainsRule(pattern(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public long comparisons() {
        return pattern.length();
    }

    @Override
    public Finding find(CheckInput input) {
        return find(input.printedAndTrace());
    }

    /** @param searched stdout and trace, see {@link CheckInput#printedAndTrace} */
    Finding find(String searched) {
        return Finding.of(
                searched.contains(pattern),
                "The output or the trace contains " + Quote.of(pattern) + ".",
                "Expected " + Quote.of(pattern) + " in the output or the trace, but found it in neither.");
    }

    /** The text to look for. Every output contains the empty text. */
    static String pattern(FieldReader fields) {
        String pattern = fields.anyText("pattern");
        if (pattern.isEmpty() && !fields.isWrong("pattern")) {
            fields.problem("pattern", "`pattern` must not be empty; every output contains that.");
        }
        return pattern;
    }
}
