package dev.assay.domain.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.JsonPath;
import com.jayway.jsonpath.JsonPathException;
import com.jayway.jsonpath.spi.json.JacksonJsonNodeJsonProvider;
import com.jayway.jsonpath.spi.mapper.JacksonMappingProvider;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.JsonNumbers;

/** JSONPath on bounded documents. Regular expressions and repeated deep scans, which can run for ever, are refused. */
final class JsonPathQuery {

    /** Characters of a path. */
    private static final int MAX_PATH = 500;

    /** Characters of a document. */
    private static final int MAX_DOCUMENT = 256 * 1024;

    private static final Configuration CONFIGURATION = Configuration.builder()
            .jsonProvider(new JacksonJsonNodeJsonProvider(Json.mapper()))
            .mappingProvider(new JacksonMappingProvider(Json.mapper()))
            .build();

    private JsonPathQuery() {}

    /**
     * What {@code path} finds, as JSON.
     *
     * @param json a document, or a text that holds one
     * @throws ToolException when there is nothing, or no such path
     */
    static String run(JsonNode json, String path) {
        if (path.length() > MAX_PATH) {
            throw new ToolException("The path has more than " + MAX_PATH + " characters.");
        }
        if (path.contains("=~")) {
            throw new ToolException("Regular expressions (=~) are not known here.");
        }
        if (path.indexOf("..") != path.lastIndexOf("..")) {
            throw new ToolException("A path may scan deep (..) only once.");
        }
        try {
            JsonNode found = JsonPath.using(CONFIGURATION).parse(document(json)).read(path);
            return Json.write(found);
        } catch (JsonPathException | IllegalArgumentException e) {
            throw new ToolException("The path " + path + " finds nothing: " + e.getMessage() + ".", e);
        }
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
