package dev.assay.domain.campaignfile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.check.code.CodeKinds;
import dev.assay.domain.check.code.CodeLanguage;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.check.code.CodeReader;
import dev.assay.domain.check.code.CodeUse;
import dev.assay.domain.check.code.Script;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.grading.UsedScript;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Own code as it stands in a campaign file.
 *
 * @param node the check, or the object that names a language
 * @param path of {@code node}
 * @param place where the code itself, the name of its file, or a program stands
 * @param used what an interpreter loads; null: it is a program
 */
public record WrittenCode(
        JsonNode node,
        String path,
        String place,
        CodeNeed need,
        @Nullable UsedScript used) {

    private static final Map<String, CodeLanguage> LANGUAGES = Map.of(
            CodeLanguage.PYTHON.word(), CodeLanguage.PYTHON, CodeLanguage.JAVASCRIPT.word(), CodeLanguage.JAVASCRIPT);

    /** The fields that hold code by its language, and what it is for. */
    private static final Map<String, CodeUse> NAMED =
            Map.of(CodeReader.TRANSFORM, CodeUse.OUTPUT, CodeReader.TEMPLATE, CodeUse.PROMPT);

    /** Visits the code of {@code document}, which may be no valid campaign file. */
    public static void visit(JsonNode document, Consumer<WrittenCode> visitor) {
        walk(document, "", (node, path) -> {
            WrittenCode check = check(node, path);
            if (check != null) {
                visitor.accept(check);
            }
            WrittenCode agent = agent(node, path);
            if (agent != null) {
                visitor.accept(agent);
            }
            NAMED.forEach((field, use) -> {
                WrittenCode found = named(node.path(field), DocumentPath.field(path, field), use);
                if (found != null) {
                    visitor.accept(found);
                }
            });
        });
    }

    private static @Nullable WrittenCode check(JsonNode node, String path) {
        String type = node.path("type").asText();
        if (!CodeKinds.WORDS.contains(type)) {
            return null;
        }
        CodeLanguage language = LANGUAGES.get(type);
        return language == null
                ? new WrittenCode(
                        node,
                        path,
                        path,
                        new CodeNeed(
                                CodeLanguage.PROGRAM,
                                node.path("command").path(0).asText()),
                        null)
                : script(node, path, language, node.has("file") ? "file" : "value", CodeUse.CHECK);
    }

    /** Code that answers; null: {@code node} is no such agent. */
    private static @Nullable WrittenCode agent(JsonNode node, String path) {
        CodeLanguage language = LANGUAGES.get(node.path("kind").asText());
        return language == null || !node.path("file").isTextual()
                ? null
                : script(node, path, language, "file", CodeUse.PROVIDER);
    }

    /** Code that a field names by its language; null: {@code node} is none. */
    private static @Nullable WrittenCode named(JsonNode node, String path, CodeUse use) {
        for (Map.Entry<String, CodeLanguage> language : LANGUAGES.entrySet()) {
            JsonNode code = node.path(language.getKey());
            if (code.isTextual()) {
                return script(node, path, language.getValue(), language.getKey(), use);
            }
            if (code.isObject()) {
                String below = DocumentPath.field(path, language.getKey());
                CodeUse own = code.path("asProgram").asBoolean() ? CodeUse.PRINTED_PROMPT : use;
                WrittenCode found = script(code, below, language.getValue(), "file", own);
                return new WrittenCode(node, path, found.place, found.need, found.used);
            }
        }
        return null;
    }

    /** @param field of {@code node} that holds the code, or the name of its file */
    private static WrittenCode script(JsonNode node, String path, CodeLanguage language, String field, CodeUse use) {
        boolean isFile = field.equals("file");
        String text = node.path(field).textValue();
        Script script = new Script(
                language,
                isFile ? null : text,
                isFile ? text : null,
                node.path("function").textValue());
        return new WrittenCode(node, path, DocumentPath.field(path, field), script.need(), new UsedScript(script, use));
    }

    /** Whether the code stands in a file. */
    public boolean isFile() {
        return used != null && used.script().file() != null;
    }

    /** Whether {@code node} may hold own code; it may be no valid campaign. */
    static boolean mayBeIn(JsonNode node) {
        if (node.isObject()
                && (CodeKinds.WORDS.contains(node.path("type").asText())
                        || agent(node, "") != null
                        || NAMED.entrySet().stream()
                                .anyMatch(field -> named(node.path(field.getKey()), "", field.getValue()) != null))) {
            return true;
        }
        for (JsonNode below : node) {
            if (below.isContainerNode() && mayBeIn(below)) {
                return true;
            }
        }
        return false;
    }

    /** Visits the objects of {@code node} and below, each with its path. */
    private static void walk(JsonNode node, String path, BiConsumer<JsonNode, String> visitor) {
        if (node.isObject()) {
            visitor.accept(node, path);
            node.properties().forEach(field -> {
                if (field.getValue().isContainerNode()) {
                    walk(field.getValue(), DocumentPath.field(path, field.getKey()), visitor);
                }
            });
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            if (node.get(i).isContainerNode()) {
                walk(node.get(i), DocumentPath.item(path, i), visitor);
            }
        }
    }
}
