package dev.assay.domain.check.code;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Own code in a language: a text, or a function of a file. In JSON it is the value of a field that names the language.
 *
 * @param value the code itself, 1–100,000 characters; null: it stands in {@code file}
 * @param file its path below the campaign's code directory; null: it is {@code value}
 * @param function of the file; null: the one that its use has by default
 */
public record Script(
        CodeLanguage language,
        @Nullable String value,
        @Nullable String file,
        @Nullable String function) {

    /** The languages by their words. */
    static final Map<String, CodeLanguage> LANGUAGES = Map.of(
            CodeLanguage.PYTHON.word(), CodeLanguage.PYTHON, CodeLanguage.JAVASCRIPT.word(), CodeLanguage.JAVASCRIPT);

    /** What it needs to run. */
    public CodeNeed need() {
        return new CodeNeed(language, null);
    }

    /** As it is written and stored. */
    @JsonValue
    public ObjectNode json() {
        ObjectNode json = Json.mapper().createObjectNode();
        if (file == null) {
            return json.put(language.word(), value);
        }
        ObjectNode code = json.putObject(language.word()).put("file", file);
        return function == null ? json : setFunction(json, code, function);
    }

    private static ObjectNode setFunction(ObjectNode json, ObjectNode code, String function) {
        code.put("function", function);
        return json;
    }

    /** Reads the stored form. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Script stored(JsonNode json) {
        String word = json.fieldNames().next();
        JsonNode code = json.get(word);
        return new Script(
                requireNonNull(LANGUAGES.get(word), word),
                code.textValue(),
                code.path("file").textValue(),
                code.path("function").textValue());
    }
}
