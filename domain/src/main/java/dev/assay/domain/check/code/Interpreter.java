package dev.assay.domain.check.code;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.text.Excerpt;

/**
 * An interpreter that ran own code.
 *
 * @param language its word
 * @param path of the program, as it says itself
 * @param version as it says itself
 */
public record Interpreter(String language, String path, String version) {

    private static final int MOST_PATH = 1_000;

    /** What an interpreter says of itself when it is greeted. It is not to be trusted. */
    public static Interpreter of(CodeLanguage language, JsonNode hello) {
        return new Interpreter(
                language.word(),
                Excerpt.of(hello.path("path").asText(), MOST_PATH),
                Excerpt.of(hello.path("version").asText()));
    }
}
