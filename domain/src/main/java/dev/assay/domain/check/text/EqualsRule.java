package dev.assay.domain.check.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.rule.CheckInput;
import dev.assay.domain.check.rule.CheckKind;
import dev.assay.domain.check.rule.CheckRule;
import dev.assay.domain.check.rule.Finding;
import dev.assay.domain.check.rule.Quote;
import dev.assay.domain.check.structure.JsonDocument;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.WhiteSpace;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The response equals {@code value}: a text as it stands, any other value as JSON. The order of fields and the spelling of numbers
 * do not count.
 *
 * @param value a text, or any JSON value but null
 * @param trim whether white space around texts does not count; null: it does not
 */
public record EqualsRule(JsonNode value, @Nullable Boolean trim) implements CheckRule {

    public static final CheckKind KIND =
            new CheckKind("equals", 1, Set.of("value", "trim"), EqualsRule.class, EqualsRule::read);

    private static final Comparator<JsonNode> SCALARS = (one, other) -> one.isNumber() && other.isNumber()
            ? one.decimalValue().compareTo(other.decimalValue())
            : one.equals(other) ? 0 : 1;

    /** A text around which white space does not count. */
    public EqualsRule(String value) {
        this(TextNode.valueOf(value), null);
    }

    private static EqualsRule read(FieldReader fields) {
        JsonNode value = fields.required("value");
        if (value != null && value.isNull()) {
            fields.problem("value", "`value` must not be null; write a text, or another JSON value.");
        } else if (value != null && !JsonNumbers.areReadable(value)) {
            fields.problem("value", "`value` holds a number that is not finite or has too many digits; write another.");
        }
        Boolean trim = fields.flag("trim", true) ? null : false;
        return new EqualsRule(value == null ? TextNode.valueOf("") : value, trim);
    }

    @Override
    public CheckKind kind() {
        return KIND;
    }

    @Override
    public Finding find(CheckInput input) {
        return value.isTextual() ? ofText(input.response()) : ofJson(input.response());
    }

    private Finding ofText(String response) {
        String wanted = value.textValue();
        boolean isExact = Boolean.FALSE.equals(trim);
        return finding(
                isExact ? response.equals(wanted) : WhiteSpace.trim(response).equals(WhiteSpace.trim(wanted)),
                wanted,
                response);
    }

    private Finding ofJson(String response) {
        return switch (JsonDocument.of(response)) {
            case JsonDocument.Read(JsonNode document) ->
                finding(value.equals(SCALARS, document), value.toString(), response);
            case JsonDocument.Unreadable(Finding why) -> why;
        };
    }

    private static Finding finding(boolean equal, String wanted, String response) {
        return Finding.of(
                equal,
                "The response is " + Quote.of(wanted) + ".",
                "Expected " + Quote.of(wanted) + ", but found " + Quote.ofResponse(response) + ".");
    }
}
