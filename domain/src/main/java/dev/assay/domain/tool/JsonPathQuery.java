package dev.assay.domain.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.spi.mapper.JacksonMappingProvider;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.definition.Definitions;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;
import dev.assay.domain.text.Excerpt;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSONPath on bounded documents. Regular expressions and repeated deep scans, which can run for ever, are refused. */
public final class JsonPathQuery {

    /** Characters of a path. */
    private static final int MAX_PATH = 500;

    /** Characters of a document. */
    private static final int MAX_DOCUMENT = 256 * 1024;

    /** Characters of a result, about. Results share the parts of the document, and would be written out in full. */
    private static final int MAX_RESULT = 1024 * 1024;

    private JsonPathQuery() {}

    /**
     * The result of {@code path}, as JSON.
     *
     * @param json a document, or a text that holds one
     * @throws ToolException when there is nothing, or no such path
     */
    static String run(JsonNode json, String path) {
        refuseUnbounded(path);
        return written(find(document(json), path));
    }

    private static void refuseUnbounded(String path) {
        if (path.length() > MAX_PATH) {
            throw new ToolException("The path has more than " + MAX_PATH + " characters.");
        }
        if (path.contains("=~")) {
            throw new ToolException("Regular expressions (=~) are not known here.");
        }
        if (path.indexOf("..") != path.lastIndexOf("..")) {
            throw new ToolException("A path may scan deep (..) only once.");
        }
    }

    /** The problem with {@code path}, as a sentence; null: none. */
    public static @Nullable String problem(String path) {
        try {
            refuseUnbounded(path);
        } catch (ToolException e) {
            return e.getMessage();
        }
        return Definitions.problem(Definition.Kind.PATH, () -> path, () -> problemHere(path));
    }

    private static @Nullable String problemHere(String path) {
        try {
            JsonPath.compile(path);
            return path.startsWith("$") ? null : "A path begins with $.";
        } catch (RuntimeException | StackOverflowError e) {
            return "This is no JSONPath: " + Excerpt.of(String.valueOf(e.getMessage()), 200) + ".";
        }
    }

    /**
     * The result of {@code path}.
     *
     * @throws ToolException when there is nothing, or no such path
     */
    static JsonNode find(JsonNode document, String path) {
        refuseUnbounded(path);
        CountedJson counted = new CountedJson();
        try {
            return JsonPath.using(configuration(counted)).parse(document).read(path);
        } catch (RuntimeException | StackOverflowError e) {
            // The library throws more than its own exceptions, and recurses as deep as the path and the document are
            // nested.
            throw new ToolException(
                    counted.isUsedUp()
                            ? "The path takes more than " + CountedJson.MAX_STEPS + " steps on this document."
                            : "The path " + path + " finds nothing: " + Excerpt.of(String.valueOf(e.getMessage()), 500)
                                    + ".",
                    e);
        }
    }

    private static Configuration configuration(CountedJson counted) {
        return Configuration.builder()
                .jsonProvider(counted)
                .mappingProvider(new JacksonMappingProvider(Json.mapper()))
                .build();
    }

    static String written(JsonNode found) {
        if (charactersLeft(found, MAX_RESULT) < 0) {
            throw new ToolException("The path finds more than " + MAX_RESULT + " characters; ask for less.");
        }
        return Json.write(found);
    }

    /** The rest of {@code most} characters once {@code node} is written; negative: too few. */
    private static long charactersLeft(JsonNode node, long most) {
        long left = most - 2 - (node.isValueNode() ? node.asText().length() : 0);
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (left >= 0) {
                left = charactersLeft(field.getValue(), left - field.getKey().length());
            }
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size() && left >= 0; i++) {
                left = charactersLeft(node.get(i), left);
            }
        }
        return left;
    }

    private static JsonNode document(JsonNode json) {
        String text = json.isTextual() ? json.textValue() : json.toString();
        if (text.length() > MAX_DOCUMENT) {
            throw new ToolException("The document has more than " + MAX_DOCUMENT + " characters.");
        }
        JsonNode document = json.isTextual() ? parsed(text) : json;
        if (!JsonNumbers.areReadable(document)) {
            throw new ToolException("The document holds a number with too many digits.");
        }
        return document;
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new ToolException("The document is no JSON: " + e.getOriginalMessage() + ".", e);
        }
    }
}
