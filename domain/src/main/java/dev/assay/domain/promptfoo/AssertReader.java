package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.domain.check.graded.GradedKinds;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.DocumentText;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The writer of assertions as checks. Templates in their values are filled with the vars of the test. */
final class AssertReader {

    private static final String FILE = "file://";
    private static final String NOT = "not-";
    private static final String SIMILAR = "similar";

    /** The same word for the same rule. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("equals", "equals"),
            Map.entry("contains", "contains"),
            Map.entry("icontains", "icontains"),
            Map.entry("starts-with", "starts-with"),
            Map.entry("contains-all", "contains-all"),
            Map.entry("contains-any", "contains-any"),
            Map.entry("icontains-all", "icontains-all"),
            Map.entry("icontains-any", "icontains-any"),
            Map.entry("regex", "regex"),
            Map.entry("is-json", "json"),
            Map.entry("contains-json", "json"),
            Map.entry("is-xml", "xml"),
            Map.entry("contains-xml", "xml"),
            Map.entry("is-html", "html"),
            Map.entry("contains-html", "html"),
            Map.entry("word-count", "word-count"),
            Map.entry("levenshtein", "levenshtein"),
            Map.entry("rouge-n", "rouge-n"),
            Map.entry("bleu", "bleu"),
            Map.entry("gleu", "gleu"),
            Map.entry("similar", SIMILAR),
            Map.entry("similar:cosine", SIMILAR),
            Map.entry("latency", "latency"),
            Map.entry("cost", "cost"),
            Map.entry("finish-reason", "finish-reason"),
            Map.entry("is-refusal", "refusal"),
            Map.entry("tool-call-f1", "tool-call-f1"),
            Map.entry("is-valid-function-call", "function-call-valid"),
            Map.entry("is-valid-openai-function-call", "function-call-valid"),
            Map.entry("is-valid-openai-tools-call", "function-call-valid"),
            Map.entry("llm-rubric", "rubric"),
            Map.entry("factuality", "factuality"),
            Map.entry("model-graded-factuality", "factuality"),
            Map.entry("model-graded-closedqa", "closed-qa"));

    /** A bound that a check may have beside its value. */
    private static final Set<String> WITH_THRESHOLD =
            Set.of("levenshtein", "rouge-n", "bleu", "gleu", SIMILAR, "latency", "cost", "tool-call-f1", "rubric");

    private static final Set<String> KNOWN =
            Set.of("type", "value", "threshold", "weight", "metric", "assert", "provider", "rubricPrompt", "config");

    private final SourceFiles files;
    private final ImportReport report;
    private final UnaryOperator<String> templates;
    private final AssertGrader grader;

    /**
     * @param templates fills them with the vars of the test
     * @param options of the test: its {@code provider} grades
     */
    AssertReader(SourceFiles files, ImportReport report, UnaryOperator<String> templates, JsonNode options) {
        this.files = files;
        this.report = report;
        this.templates = templates;
        this.grader = new AssertGrader(report, options);
    }

    /** The checks of a list of assertions. */
    void read(JsonNode asserts, String path, ArrayNode checks) {
        if (!asserts.isMissingNode() && !asserts.isNull() && !asserts.isArray()) {
            report.error(path, "`" + path + "` must be a list, but is " + ActualValue.describe(asserts) + ".");
            return;
        }
        for (int i = 0; i < asserts.size(); i++) {
            ObjectNode check = check(asserts.get(i), DocumentPath.item(path, i));
            if (check != null) {
                checks.add(check);
            }
        }
    }

    private @Nullable ObjectNode check(JsonNode assertion, String path) {
        String type = assertion.path("type").asText("");
        if (!assertion.isObject() || type.isEmpty()) {
            report.error(
                    path,
                    "`" + path + "` must be an object with `type`, but is " + ActualValue.describe(assertion) + ".");
            return null;
        }
        boolean isNot = type.startsWith(NOT);
        String base = isNot ? type.substring(NOT.length()) : type;
        boolean isSet = type.equals("assert-set");
        String own = isSet ? "group" : TYPES.get(base);
        if (own == null) {
            report.unmapped(
                    DocumentPath.field(path, "type"),
                    "Assertions of type `" + Excerpt.of(type, 60) + "` have no counterpart.");
            return null;
        }
        reportForeign(assertion, path);
        ObjectNode check = JsonNodeFactory.instance.objectNode().put("type", own);
        if (isNot) {
            check.put("not", true);
        }
        try {
            if (isSet) {
                read(assertion.path("assert"), DocumentPath.field(path, "assert"), check.putArray("checks"));
                putNumber(assertion, "threshold", check);
            } else {
                putValue(base, assertion.path("value"), check);
                if (WITH_THRESHOLD.contains(own)) {
                    putNumber(assertion, "threshold", check);
                }
                if (GradedKinds.WORDS.contains(own) && !grader.put(assertion, path, check, own.equals(SIMILAR))) {
                    return null;
                }
            }
            putRole(assertion, check);
        } catch (PatternSyntaxException e) {
            report.unmapped(
                    DocumentPath.field(path, "value"), "The pattern cannot be translated: " + e.getDescription() + ".");
            return null;
        } catch (AssayException e) {
            report.error(DocumentPath.field(path, "value"), e.failure().message());
            return null;
        }
        return check;
    }

    private void reportForeign(JsonNode assertion, String path) {
        assertion.fieldNames().forEachRemaining(name -> {
            if (!KNOWN.contains(name)) {
                report.unmapped(DocumentPath.field(path, name), "`" + name + "` of an assertion has no counterpart.");
            }
        });
    }

    /** Without weight a check is worth 1; with weight 0 it never fails a test. */
    private void putRole(JsonNode assertion, ObjectNode check) {
        putNumber(assertion, "weight", check);
        if (assertion.path("weight").isNumber()
                && assertion.path("weight").decimalValue().signum() == 0) {
            check.put("required", false);
        }
        String metric = assertion.path("metric").asText("");
        if (!metric.isEmpty()) {
            check.put("metric", templates.apply(metric));
        }
    }

    private static void putNumber(JsonNode assertion, String name, ObjectNode check) {
        JsonNode number = assertion.path(name);
        if (number.isNumber()) {
            check.set(name, JsonNumbers.plain(number));
        } else if (!number.isMissingNode() && !number.isNull()) {
            // The expected type is reported with the check's own path.
            check.set(name, number);
        }
    }

    private void putValue(String base, JsonNode written, ObjectNode check) {
        JsonNode value = filled(written);
        switch (base) {
            case "equals" -> check.put("trim", false).set("value", value.isContainerNode() ? value : text(value));
            case "contains", "icontains", "starts-with", "levenshtein", "rouge-n", "finish-reason" ->
                check.set("value", text(value));
            case "llm-rubric", "factuality", "model-graded-factuality", "model-graded-closedqa" ->
                check.set("value", value.isContainerNode() ? TextNode.valueOf(value.toString()) : text(value));
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

    private static void putContains(ObjectNode check, boolean contains) {
        if (contains) {
            check.put("contains", true);
        }
    }

    private static void putSchema(JsonNode value, ObjectNode check, boolean contains) {
        JsonNode schema =
                value.isTextual() && !value.textValue().isBlank() ? DocumentText.parse(value.textValue()) : value;
        if (schema.isObject()) {
            check.set("schema", schema);
        }
        putContains(check, contains);
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
