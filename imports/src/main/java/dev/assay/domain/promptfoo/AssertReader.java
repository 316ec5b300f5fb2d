package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.check.LostRule;
import dev.assay.domain.check.graded.GradedKinds;
import dev.assay.domain.check.rule.CheckRole;
import dev.assay.domain.document.ActualValue;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The writer of assertions as checks. Templates in their values are filled with the vars of the test. */
final class AssertReader {

    private static final String NOT = "not-";
    private static final String SIMILAR = "similar";
    private static final String CRITERIA = "g-eval";

    /** The least score that passes by criteria, where none is written. */
    private static final BigDecimal USUAL_SCORE = new BigDecimal("0.7");

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
            Map.entry("javascript", "javascript"),
            Map.entry("python", "python"),
            Map.entry("llm-rubric", "rubric"),
            Map.entry("g-eval", "rubric"),
            Map.entry("factuality", "factuality"),
            Map.entry("model-graded-factuality", "factuality"),
            Map.entry("model-graded-closedqa", "closed-qa"));

    /** A bound that a check may have beside its value. */
    private static final Set<String> WITH_THRESHOLD = Set.of(
            "levenshtein",
            "rouge-n",
            "bleu",
            "gleu",
            SIMILAR,
            "latency",
            "cost",
            "tool-call-f1",
            "rubric",
            "javascript",
            "python");

    private static final Set<String> KNOWN = Set.of(
            "type",
            "value",
            "threshold",
            "weight",
            "metric",
            "assert",
            "provider",
            "rubricPrompt",
            "config",
            "description",
            CodeWriter.TRANSFORM);

    /** Fields that change what an assertion decides. */
    private static final Set<String> LOST = Set.of("contextTransform");

    /** A value that is read by running it; a name of a function may follow. */
    private static final Pattern PROGRAM =
            Pattern.compile("(?:package:.*|file://.*\\.(?:[cm]?[jt]s|py|rb)(?::[^/]*)?)");

    private final ImportReport report;
    private final UnaryOperator<String> templates;
    private final AssertValue values;
    private final AssertCode code;
    private final CodeWriter transforms;
    private final AssertProgram programs;
    private final AssertGrader grader;
    private final boolean isLost;

    /**
     * @param templates fills them with the vars of the test
     * @param programs give values
     * @param grader names the model of those that a model decides
     * @param isLost whether a part of the test decides all assertions and has no counterpart
     */
    AssertReader(
            SourceFiles files,
            ImportReport report,
            UnaryOperator<String> templates,
            AssertProgram programs,
            AssertGrader grader,
            boolean isLost) {
        this.report = report;
        this.templates = templates;
        this.values = new AssertValue(files, templates);
        this.code = new AssertCode(files);
        this.transforms = new CodeWriter(files, report);
        this.programs = programs;
        this.grader = grader;
        this.isLost = isLost;
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
        if (!assertion.isObject() || type.isBlank()) {
            report.error(
                    path,
                    "`" + path + "` must be an object with `type`, but is " + ActualValue.describe(assertion) + ".");
            return null;
        }
        String base = type.startsWith(NOT) ? type.substring(NOT.length()) : type;
        boolean isSet = type.equals("assert-set");
        String own = isSet ? "group" : TYPES.get(base);
        try {
            if (own == null) {
                report.unmapped(
                        LostPart.CHECK,
                        DocumentPath.field(path, "type"),
                        "Assertions of type `" + Excerpt.of(type, 60) + "` have no counterpart.");
                return withRole(assertion, leftOut(type, path));
            }
            boolean hasForeign = reportForeign(assertion, path);
            ObjectNode check = JsonNodeFactory.instance.objectNode().put("type", own);
            if (type.startsWith(NOT)) {
                check.put("not", true);
            }
            boolean isTransformed = !assertion.hasNonNull(CodeWriter.TRANSFORM) || putTransform(assertion, path, check);
            boolean isWhole = isSet
                    ? putMembers(assertion, path, check)
                    : base.equals(CRITERIA)
                            ? putCriteria(assertion, path, check)
                            : putRule(assertion, path, base, check);
            if (!isWhole || !isTransformed || hasForeign || isLost) {
                return withRole(assertion, leftOut(type, path));
            }
            if (AssertCode.decides(base)) {
                report.code(check, DocumentPath.field(path, "value"));
            }
            return withRole(assertion, check);
        } catch (AssayException e) {
            report.error(DocumentPath.field(path, "value"), e.failure().message());
            return null;
        }
    }

    /** The place of an assertion that is left out: without it, a trial would pass by what is left. */
    private static ObjectNode leftOut(String was, String path) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", LostRule.WORD)
                .put("was", Excerpt.of(was, LostRule.MAX_WAS))
                .put("path", Excerpt.of(path, LostRule.MAX_PATH))
                .put("required", true);
    }

    private boolean putTransform(JsonNode assertion, String path, ObjectNode check) {
        String place = DocumentPath.field(path, CodeWriter.TRANSFORM);
        ObjectNode transform = transforms.transform(assertion.get(CodeWriter.TRANSFORM), LostPart.CHECK, place);
        if (transform != null) {
            check.set(CodeWriter.TRANSFORM, transform);
        }
        return transform != null;
    }

    private boolean putMembers(JsonNode assertion, String path, ObjectNode check) {
        read(assertion.path("assert"), DocumentPath.field(path, "assert"), check.putArray("checks"));
        putNumber(assertion, "threshold", check);
        return true;
    }

    /** One criterion is a rubric, several are a group of rubrics: the mean of their scores decides. */
    private boolean putCriteria(JsonNode assertion, String path, ObjectNode check) {
        report.note(DocumentPath.field(path, "type"), "A model grades it as a rubric, in Assay's words.");
        JsonNode value = assertion.path("value");
        JsonNode threshold = assertion.hasNonNull("threshold")
                ? assertion.get("threshold")
                : JsonNodeFactory.instance.numberNode(USUAL_SCORE);
        if (!value.isArray() || value.size() == 1) {
            ObjectNode single = assertion.deepCopy();
            single.set("value", value.isArray() ? value.get(0) : value);
            single.set("threshold", threshold);
            return putRule(single, path, CRITERIA, check);
        }
        check.put("type", "group").set("threshold", threshold);
        ArrayNode members = check.putArray("checks");
        boolean isWhole = !value.isEmpty();
        for (JsonNode criterion : value) {
            ObjectNode single = assertion.deepCopy();
            single.remove("threshold");
            single.set("value", criterion);
            isWhole &= putRule(single, path, CRITERIA, members.addObject().put("type", "rubric"));
        }
        return isWhole;
    }

    /** @return whether there is such a check */
    private boolean putRule(JsonNode assertion, String path, String base, ObjectNode check) {
        String place = DocumentPath.field(path, "value");
        String value = assertion.path("value").asText("");
        boolean isFileOfCode = code.putFile(base, value, check);
        boolean isProgram = !isFileOfCode && PROGRAM.matcher(value).matches();
        if (isProgram && AssertCode.decides(base)) {
            report.unmapped(LostPart.CHECK, place, "Code of another language cannot decide the assertion here.");
            return false;
        }
        try {
            JsonNode given = isProgram ? programs.value(value, assertion, place) : null;
            if (given != null) {
                values.putPlain(base, given, check);
            } else if (isProgram) {
                return false;
            } else if (!isFileOfCode) {
                values.put(base, assertion.path("value"), check);
            }
        } catch (PatternSyntaxException e) {
            report.unmapped(LostPart.CHECK, place, "The pattern cannot be translated: " + e.getDescription() + ".");
            return false;
        }
        if (AssertCode.decides(base) && assertion.hasNonNull("config")) {
            check.set("config", assertion.get("config"));
        }
        String own = check.path("type").textValue();
        if (WITH_THRESHOLD.contains(own)) {
            putNumber(assertion, "threshold", check);
        }
        return !GradedKinds.WORDS.contains(own) || grader.put(assertion, path, check, own.equals(SIMILAR));
    }

    /** @return whether a field has no counterpart and changes what the assertion decides */
    private boolean reportForeign(JsonNode assertion, String path) {
        boolean hasForeign = false;
        for (Map.Entry<String, JsonNode> field : assertion.properties()) {
            String name = field.getKey();
            if (!KNOWN.contains(name) && !LOST.contains(name)) {
                report.note(DocumentPath.field(path, name), "Left out: promptfoo reads no such field.");
            } else if (LOST.contains(name)) {
                report.unmapped(
                        LostPart.CHECK,
                        DocumentPath.field(path, name),
                        "`" + name + "` of an assertion has no counterpart.");
                hasForeign = true;
            }
        }
        return hasForeign;
    }

    /** Without weight a check is worth 1; with weight 0 it never fails a test. */
    private ObjectNode withRole(JsonNode assertion, ObjectNode check) {
        putNumber(assertion, "weight", check);
        if (assertion.path("weight").isNumber()
                && assertion.path("weight").decimalValue().signum() == 0) {
            check.put("required", false);
        }
        String metric = assertion.path("metric").asText("");
        if (!metric.isEmpty()) {
            check.put("metric", templates.apply(metric));
        }
        String description = Excerpt.of(assertion.path("description").asText(""), CheckRole.MAX_DESCRIPTION);
        if (!description.isEmpty()) {
            check.put("description", description);
        }
        return check;
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
}
