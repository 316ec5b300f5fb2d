package dev.assay.domain.check.run;

import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import java.util.List;
import java.util.Set;

/** The answer called every tool that {@code value} names, at least once. */
public record ToolCalledRule(List<String> value) implements RunRule {

    public static final CheckKind KIND = new CheckKind(
            "tool-called",
            1,
            Set.of("value"),
            ToolCalledRule.class,
            fields -> new ToolCalledRule(ToolNames.read(fields)));

    public ToolCalledRule {
        value = List.copyOf(value);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        Set<String> called = CalledTools.of(input);
        return called == null
                ? ToolNames.NOT_KNOWN
                : Finding.of(
                        called.containsAll(value),
                        "The answer called " + Quote.of(String.join(", ", value)) + ".",
                        "Expected calls of " + Quote.of(String.join(", ", value)) + ", but found "
                                + ToolNames.shown(called) + ".");
    }
}
