package dev.assay.domain.check.rule;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/**
 * The tools that a model could call.
 *
 * @param schemas the JSON Schemas of their arguments, by name, as far as the campaign states them
 * @param complete whether these are all, without unknown ones such as those of an MCP server
 */
public record OfferedTools(Map<String, JsonNode> schemas, boolean complete) {

    /** Nothing is known of them. */
    public static final OfferedTools UNKNOWN = new OfferedTools(Map.of(), false);

    public OfferedTools {
        schemas = Map.copyOf(schemas);
    }
}
