package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool as a model sees it.
 *
 * @param name 1–64 letters, digits, {@code _} or {@code -}
 * @param description what it does and when to use it
 * @param parameters JSON Schema of its arguments, an object
 * @param declared whether the campaign itself declares it; false: a server described it when asked
 */
public record ToolSpec(String name, String description, JsonNode parameters, boolean declared) {

    public ToolSpec(String name, String description, JsonNode parameters) {
        this(name, description, parameters, true);
    }
}
