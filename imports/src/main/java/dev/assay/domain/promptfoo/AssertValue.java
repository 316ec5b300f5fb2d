package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.code.ScriptRule;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** The writer of values of assertions as values of checks. */
final class AssertValue {

    private static final String FILE = "file://";
    private static final Pattern DRAFT_7 = Pattern.compile("https?://json-schema\\.org/draft-07/schema#?");

    private final SourceFiles files;
    private final UnaryOperator<String> templates;

    /** @param templates fills them with the vars of the test */
    AssertValue(SourceFiles files, UnaryOperator<String> templates) {
        this.files = files;
        this.templates = templates;
    }

    /**
     * Puts the value of an assertion into {@code check}.
     *
     * @param base the assertion's type without {@code not-}
     * @throws PatternSyntaxException when a pattern has no counterpart
     * @throws AssayException when a file cannot be read or a template not be filled
     */
    void put(String base, JsonNode written, ObjectNode check) {
        putPlain(base, filled(written), check);
    }

    /** As {@link #put}, of a value that is taken as it is. */
    void putPlain(String base, JsonNode value, ObjectNode check) {
        switch (base) {
            case "equals" -> check.put("trim", false).set("value", value.isContainerNode() ? value : text(value));
            case "contains", "icontains", "starts-with", "levenshtein", "rouge-n", "finish-reason" ->
                check.set("value", text(value));
            case "g-eval", "llm-rubric", "factuality", "model-graded-factuality", "model-graded-closedqa" ->
                check.set("value", value.isContainerNode() ? TextNode.valueOf(value.toString()) : text(value));
            case "javascript", "python" -> check.put("value", code(value));
            case "regex" -> check.put("value", EcmaPattern.translate(value.asText()));
            case "contains-all", "contains-any", "icontains-all", "icontains-any", "tool-call-f1" ->
                check.set("value", texts(value));
            case "bleu", "gleu", "similar", "similar:cosine" ->
                check.set("value", value.isArray() ? texts(value) : text(value));
            case "word-count" -> check.set("value", count(value));
            case "is-json", "contains-json" -> putSchema(value, check, base.startsWith("contains"));
            case "is-xml", "contains-xml" -> putElements(value, check, base.startsWith("contains"));
            case "is-html", "contains-html" -> putContains(check, base.startsWith("contains"));
            default -> {}
        }
    }

    private static String code(JsonNode value) {
        String code = value.textValue();
        if (code == null || code.isBlank()) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "`value` must be code or the file of it, such as `file://checks.py`, but is "
                            + ActualValue.describe(value) + ".");
        }
        if (code.codePointCount(0, code.length()) > ScriptRule.MAX_CODE) {
            throw new AssayException(
                    ErrorCode.INVALID_INPUT,
                    "`value` has more than 100,000 characters; put the code in a file and name it by `file://`.");
        }
        return code;
    }

    private static void putContains(ObjectNode check, boolean contains) {
        if (contains) {
            check.put("contains", true);
        }
    }

    private static void putSchema(JsonNode value, ObjectNode check, boolean contains) {
        JsonNode schema =
                value.isTextual() && !value.textValue().isBlank() ? DocumentText.parse(value.textValue()) : value;
        if (schema.isObject()) {
            check.set("schema", ofOurDraft((ObjectNode) schema));
        }
        putContains(check, contains);
    }

    /** promptfoo knows draft 7, which one that names it shares with one that names none. */
    private static ObjectNode ofOurDraft(ObjectNode schema) {
        ObjectNode copy = schema.deepCopy();
        if (DRAFT_7.matcher(schema.path("$schema").asText()).matches()) {
            copy.remove("$schema");
        }
        return copy;
    }

    private static void putElements(JsonNode value, ObjectNode check, boolean contains) {
        JsonNode elements = value.isObject() ? value.path("requiredElements") : value;
        ArrayNode names = elements.isMissingNode() || elements.isNull() ? null : texts(elements);
        if (names != null && !names.isEmpty()) {
            check.set("requiredElements", names);
        }
        putContains(check, contains);
    }

    /** A value whose templates are filled, and whose file is read. */
    private JsonNode filled(JsonNode value) {
        if (value.isTextual()) {
            String text = value.textValue();
            return text.startsWith(FILE)
                    ? file(text.substring(FILE.length()))
                    : TextNode.valueOf(templates.apply(text));
        }
        if (value.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode(value.size());
            value.forEach(item -> list.add(item.isTextual() ? filled(item) : item));
            return list;
        }
        return value;
    }

    private JsonNode file(String name) {
        String text = files.text(name);
        boolean isTree = name.endsWith(".json") || name.endsWith(".yaml") || name.endsWith(".yml");
        return isTree ? DocumentText.parse(text) : TextNode.valueOf(text.strip());
    }

    private static JsonNode count(JsonNode value) {
        if (!value.isTextual()) {
            return value;
        }
        try {
            return JsonNumbers.node(new BigDecimal(value.textValue().strip()));
        } catch (NumberFormatException e) {
            return value;
        }
    }

    /** Numbers and truth values are written as ECMAScript writes them. */
    private static JsonNode text(JsonNode value) {
        if (value.isNumber() && JsonNumbers.isReadable(value)) {
            return TextNode.valueOf(JsonNumbers.plain(value.decimalValue()).toPlainString());
        }
        return value.isBoolean() ? TextNode.valueOf(value.asText()) : value;
    }

    private static ArrayNode texts(JsonNode value) {
        ArrayNode texts = JsonNodeFactory.instance.arrayNode();
        if (value.isArray()) {
            value.forEach(item -> texts.add(text(item)));
        } else {
            CommaList.read(text(value).asText()).forEach(texts::add);
        }
        return texts;
    }
}
