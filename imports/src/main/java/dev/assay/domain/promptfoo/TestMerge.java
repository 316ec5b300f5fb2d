package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.imports.ImportReport;
import dev.assay.domain.imports.LostPart;
import dev.assay.domain.promptfoo.TestReader.Written;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A test with what it inherits: from the default test, and in a scenario from its data. What is written last wins.
 *
 * @param all from the default test to the test itself
 * @param parts whose assertions count, those of the default first
 * @param own the last of them
 */
record TestMerge(
        ObjectNode vars, ObjectNode options, ObjectNode metadata, List<Written> all, List<Written> parts, Written own) {

    /** Fields of a test that change answers or verdicts. */
    private static final Set<String> UNMAPPED =
            Set.of("provider", "providers", "prompts", "providerOutput", "assertScoringFunction");

    /** A program that makes a verdict of the assertions' scores. */
    private static final String SCORING = "assertScoringFunction";

    /** An earlier word for {@code transform}. */
    private static final String POSTPROCESS = "postprocess";

    private static final Set<String> OPTIONS = Set.of(
            "prefix",
            "suffix",
            "disableVarExpansion",
            "disableDefaultAsserts",
            "provider",
            TransformedVars.OPTION,
            CodeWriter.TRANSFORM,
            POSTPROCESS);

    private static final Set<String> NOTES = Set.of("rubricPrompt", "factuality", "runSerially", "conversationId");

    private static final Set<String> KNOWN =
            Set.of("description", "vars", "assert", "threshold", "options", "metadata");

    /** The path of the test from which all inherit. */
    static final String DEFAULT = "defaultTest";

    /** Options that change what is asked or decided. */
    private static final Set<String> LOST = Set.of("storeOutputAs", "response_format", "reasoning_effort", "repeat");

    /** @param parts from the default test to the test itself */
    static TestMerge of(List<Written> parts, TestReader reader) {
        ObjectNode vars = object();
        ObjectNode options = object();
        ObjectNode metadata = object();
        for (Written part : parts) {
            vars.setAll(reader.vars(part.test().path("vars"), DocumentPath.field(part.path(), "vars")));
            setAll(options, part.test().path("options"));
            setAll(metadata, part.test().path("metadata"));
        }
        JsonNode grader = parts.getFirst().test().path("provider");
        if (!options.has("provider") && parts.getFirst().path().equals(DEFAULT) && !grader.isMissingNode()) {
            options.set("provider", grader);
        }
        boolean isAlone = options.path("disableDefaultAsserts").asBoolean(false);
        return new TestMerge(
                vars, options, metadata, parts, isAlone ? parts.subList(1, parts.size()) : parts, parts.getLast());
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static void setAll(ObjectNode all, JsonNode part) {
        if (part instanceof ObjectNode object) {
            all.setAll(object);
        }
    }

    /** Whether a part of the test has no counterpart and changes its answers, or what its assertions decide. */
    boolean isLost(ImportReport report) {
        return !last(SCORING).isMissingNode() || all.stream().anyMatch(part -> isLost(part, report));
    }

    private static boolean isLost(Written part, ImportReport report) {
        String options = DocumentPath.field(part.path(), "options");
        return UNMAPPED.stream().anyMatch(field -> report.lostSetting(DocumentPath.field(part.path(), field)) != null)
                || part.test().path("options").properties().stream()
                        .map(Map.Entry::getKey)
                        .filter(option -> !option.equals("provider"))
                        .anyMatch(option -> report.lostSetting(DocumentPath.field(options, option)) != null);
    }

    /** The option that makes another answer of one; null: there is none. */
    @Nullable
    String transform() {
        return Stream.of(CodeWriter.TRANSFORM, POSTPROCESS)
                .filter(options::hasNonNull)
                .findFirst()
                .orElse(null);
    }

    /** Where the option stands that counts: in the last part that has it. */
    String place(String option) {
        return all.reversed().stream()
                .filter(part -> part.test().path("options").has(option))
                .findFirst()
                .orElse(own)
                .path();
    }

    /** The last value of a field that is not merged. */
    JsonNode last(String field) {
        return all.reversed().stream()
                .map(part -> part.test().path(field))
                .filter(value -> !value.isMissingNode() && !value.isNull())
                .findFirst()
                .orElse(JsonNodeFactory.instance.missingNode());
    }

    /** Reports parts of a test that no case can hold. */
    static void report(Written test, ImportReport report) {
        Stream<Map.Entry<String, JsonNode>> fields = test.test().properties().stream();
        fields.filter(field -> !isEmpty(field.getValue())).forEach(field -> {
            String path = DocumentPath.field(test.path(), field.getKey());
            boolean isGrader = field.getKey().equals("provider") && test.path().equals(DEFAULT);
            if (isGrader) {
                return;
            }
            if (UNMAPPED.contains(field.getKey())) {
                report.unmapped(
                        LostPart.SETTING,
                        path,
                        "`" + field.getKey() + "` of a test has no counterpart: all branches answer all cases.");
            } else if (!KNOWN.contains(field.getKey())) {
                report.note(path, "Left out: it is not known.");
            }
        });
        test.test().path("options").properties().forEach(option -> {
            String name = option.getKey();
            String path = DocumentPath.field(DocumentPath.field(test.path(), "options"), name);
            boolean isSetting = ModelSettings.isKnown(name, option.getValue());
            if (NOTES.contains(name)) {
                report.note(path, "Left out: only graded assertions read it.");
            } else if (isSetting && test.path().equals(DEFAULT)) {
                // Every branch has it.
                return;
            } else if (!OPTIONS.contains(name) && !LOST.contains(name) && !isSetting) {
                report.note(path, "Left out: no provider reads it.");
            } else if (!OPTIONS.contains(name)) {
                report.unmapped(LostPart.SETTING, path, "The option `" + name + "` of a test has no counterpart.");
            }
        });
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isNull() || (value.isContainerNode() && value.isEmpty());
    }
}
