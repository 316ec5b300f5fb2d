package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.document.TextRules;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A command that reads one request and prints a verdict.
 *
 * @param command its words; no shell reads them
 * @param keepAlive whether one process serves many checks
 */
public record ProgramRule(
        List<String> command,
        boolean keepAlive,
        @Nullable JsonNode config,
        @Nullable BigDecimal threshold,
        int timeoutSeconds)
        implements CodeRule {

    static final CheckKind KIND = new CheckKind(
            CodeLanguage.PROGRAM.word(),
            1,
            Set.of("command", "keepAlive", "config", "threshold", "timeoutSeconds"),
            ProgramRule.class,
            fields -> new ProgramRule(
                    fields.nonEmptyList("command", TextRules::fullTextItem),
                    fields.flag("keepAlive", false),
                    CodeFields.config(fields),
                    CodeFields.threshold(fields),
                    CodeFields.seconds(fields)));

    public ProgramRule {
        command = List.copyOf(command);
    }

    @Override
    public CodeLanguage language() {
        return CodeLanguage.PROGRAM;
    }

    @Override
    public CodeNeed need() {
        return new CodeNeed(CodeLanguage.PROGRAM, command.getFirst());
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }
}
