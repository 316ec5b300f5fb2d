package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.imports.FreeIds;
import dev.assay.domain.imports.ImportDefaults;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.imports.SourceFiles;
import dev.assay.domain.imports.SourcePrograms;
import dev.assay.domain.json.Json;
import dev.assay.domain.promptfoo.TestReader.Written;
import dev.assay.domain.template.TemplateText;
import java.util.LinkedHashMap;
import java.util.Map;

/** The writer of tests as cases, one for each combination of vars. */
final class CaseWriter {

    /** Vars of the text before and after the prompt, where a test has one. */
    static final String PREFIX = "__prefix";

    static final String SUFFIX = "__suffix";

    /** Of the whole configuration. */
    private static final int MAX_CASES = 1_000_000;

    private final SourceFiles files;
    private final SourcePrograms programs;
    private final ImportReport report;
    private final ImportDefaults defaults;
    private final FreeIds ids = new FreeIds();
    private final ArrayNode cases = JsonNodeFactory.instance.arrayNode();
    private boolean hasAffixes;

    CaseWriter(SourceFiles files, SourcePrograms programs, ImportReport report, ImportDefaults defaults) {
        this.files = files;
        this.programs = programs;
        this.report = report;
        this.defaults = defaults;
    }

    ArrayNode cases() {
        return cases;
    }

    /** Whether any test has a prefix or suffix: then templates have places for them. */
    boolean hasAffixes() {
        return hasAffixes;
    }

    void write(TestMerge test) {
        String path = test.own().path();
        String varsPath = DocumentPath.field(path, "vars");
        boolean expands = !test.options().path("disableVarExpansion").asBoolean(false);
        try {
            for (ObjectNode vars : new VarCombinations(files).of(test.vars(), expands)) {
                if (cases.size() == MAX_CASES) {
                    report.error(path, "There are more than " + MAX_CASES + " tests; split the configuration.");
                    return;
                }
                ObjectNode transformed = new TransformedVars(files, programs, report).of(test, vars);
                if (transformed != null) {
                    write(test, transformed);
                }
            }
        } catch (VarCombinations.Unmapped e) {
            report.unmapped(LostPart.TEST, varsPath, String.valueOf(e.getMessage()));
        } catch (AssayException e) {
            report.error(varsPath, e.failure().message());
        }
    }

    private void write(TestMerge test, ObjectNode vars) {
        String description = test.last("description").asText("");
        String number = "test-" + (cases.size() + 1);
        ObjectNode written = cases.addObject().put("id", ids.of(description.isBlank() ? number : description, number));
        putAffix(test.options(), "prefix", PREFIX, vars);
        putAffix(test.options(), "suffix", SUFFIX, vars);
        written.set("vars", vars);
        boolean isTransformed = putTransform(test, written);
        ArrayNode checks = JsonNodeFactory.instance.arrayNode();
        AssertGrader grader = new AssertGrader(files, report, test.options(), defaults);
        AssertReader asserts = new AssertReader(
                files,
                report,
                TemplateText.filler(map(vars), true),
                new AssertProgram(files, programs, report, vars),
                grader,
                !isTransformed || test.isLost(report));
        for (Written part : test.parts()) {
            asserts.read(part.test().path("assert"), DocumentPath.field(part.path(), "assert"), checks);
        }
        if (!checks.isEmpty()) {
            written.set("checks", checks);
        }
        JsonNode threshold = test.last("threshold");
        if (!threshold.isMissingNode()) {
            written.set("threshold", threshold);
        }
        putMetadata(test, description, written);
    }

    /** @return whether the test has no transform that is lost */
    private boolean putTransform(TestMerge test, ObjectNode written) {
        String option = test.transform();
        if (option == null) {
            return true;
        }
        String path = DocumentPath.field(DocumentPath.field(test.place(option), "options"), option);
        ObjectNode transform =
                new CodeWriter(files, report).transform(test.options().get(option), LostPart.SETTING, path);
        if (transform != null) {
            written.set(CodeWriter.TRANSFORM, transform);
        }
        return transform != null;
    }

    /** Whether a text among the vars of a case is a template, which promptfoo would fill. */
    boolean haveTemplatesAsVars() {
        for (JsonNode written : cases()) {
            for (JsonNode value : written.path("vars")) {
                if (value.isTextual() && TemplateText.isTemplate(value.textValue())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Map<String, JsonNode> map(ObjectNode vars) {
        Map<String, JsonNode> map = new LinkedHashMap<>();
        vars.properties().forEach(entry -> map.put(entry.getKey(), entry.getValue()));
        return map;
    }

    private void putAffix(ObjectNode options, String option, String var, ObjectNode vars) {
        String affix = options.path(option).asText("");
        if (!affix.isEmpty()) {
            vars.put(var, affix);
            hasAffixes = true;
        }
    }

    /** Metadata holds texts, numbers and truth values: what is more is kept as JSON. */
    private static void putMetadata(TestMerge test, String description, ObjectNode written) {
        ObjectNode metadata = JsonNodeFactory.instance.objectNode();
        test.metadata().properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isContainerNode()) {
                metadata.put(field.getKey(), Json.write(value));
            } else if (!value.isNull()) {
                metadata.set(field.getKey(), value);
            }
        });
        if (!description.isBlank() && !metadata.has("description")) {
            metadata.put("description", description);
        }
        if (!metadata.isEmpty()) {
            written.set("metadata", metadata);
        }
    }
}
