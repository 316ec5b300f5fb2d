package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.document.FieldReader;
import java.util.Set;

/**
 * The output or the trace of the agent contains {@code pattern} literally, or does not, as expected.
 *
 * @param expected true: it must stand there; false: it must not
 */
public record TriggerExpectationRule(String pattern, boolean expected) implements RunRule {

    public static final CheckKind KIND = new CheckKind(
            "trigger_expectation",
            1,
            Set.of("pattern", "expected"),
            TriggerExpectationRule.class,
            fields -> new TriggerExpectationRule(CommandContainsRule.pattern(fields), expected(fields)));

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return find(input.printedAndTrace());
    }

    /** @param searched stdout and trace, see {@link CheckInput#printedAndTrace} */
    Finding find(String searched) {
        boolean found = searched.contains(pattern);
        String where = Quote.of(pattern) + " in the output or the trace";
        String wanted = expected ? "Expected " + where : "Expected no " + where;
        return Finding.of(
                found == expected,
                (found ? "Found " : "Found no ") + where + ", as expected.",
                wanted + ", but " + (found ? "it is there." : "it is not there."));
    }

    private static boolean expected(FieldReader fields) {
        return fields.required("expected") != null && fields.flag("expected", false);
    }
}
