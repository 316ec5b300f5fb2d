package dev.assay.domain.check.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.OfferedTools;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.message.Content;
import dev.assay.domain.schema.ResponseSchema;
import dev.assay.domain.schema.SchemaVerdict;
import dev.assay.domain.text.Excerpt;
import java.util.List;
import java.util.Set;

/** The model called a tool, and every call names a tool that it was offered, with arguments that are valid against its schema. */
public record FunctionCallRule() implements RunRule {

    public static final CheckKind KIND =
            new CheckKind("function-call-valid", 1, Set.of(), FunctionCallRule.class, fields -> new FunctionCallRule());

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        if (input.evidence().stdout() != null) {
            return Finding.unscored("A program answered, of whose tools no schema is known.");
        }
        List<Content.ToolCall> calls = input.toolCalls();
        if (calls.isEmpty()) {
            return Finding.failed("Expected a call of a tool, but found none.");
        }
        Finding worst = Finding.passed("All " + calls.size() + " calls are valid.");
        for (Content.ToolCall call : calls) {
            Finding found = find(call, input.tools());
            switch (found.status()) {
                case FAILED -> {
                    return found;
                }
                case UNSCORED -> worst = found;
                case PASSED -> {}
            }
        }
        return worst;
    }

    private static Finding find(Content.ToolCall call, OfferedTools tools) {
        JsonNode schema = tools.schemas().get(call.name());
        if (schema == null) {
            return tools.complete()
                    ? Finding.failed("The model called " + Quote.of(call.name()) + ", which it was not offered.")
                    : Finding.unscored("The schema of tool " + Quote.of(call.name()) + " is not known.");
        }
        if (!JsonNumbers.areReadable(call.arguments())) {
            return Finding.unscored("A call holds a number with too many digits to be checked.");
        }
        return switch (ResponseSchema.apply(schema, call.arguments())) {
            case SchemaVerdict.Valid() -> Finding.passed("The call is valid.");
            case SchemaVerdict.Invalid(String violation) ->
                Finding.failed("The arguments of a call of " + Quote.of(call.name()) + " are not valid: "
                        + Excerpt.of(violation) + ".");
            case SchemaVerdict.Undecided(String reason) ->
                Finding.unscored("The schema of tool " + Quote.of(call.name()) + " could not be applied: "
                        + Excerpt.of(reason) + ".");
        };
    }
}
