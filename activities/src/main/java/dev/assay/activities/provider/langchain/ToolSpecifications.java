package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.tool.ToolSpec;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Translates tools to LangChain4j's. LangChain4j passes on a schema's properties as they are written, the required names,
 * {@code $defs} and the description. Arguments are checked against the whole schema.
 */
final class ToolSpecifications {

    private ToolSpecifications() {}

    static List<ToolSpecification> of(List<ToolSpec> tools) {
        return tools.stream().map(ToolSpecifications::of).toList();
    }

    private static ToolSpecification of(ToolSpec tool) {
        JsonNode schema = tool.parameters();
        JsonObjectSchema.Builder parameters = JsonObjectSchema.builder().addProperties(elements(schema, "properties"));
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        parameters.required(required);
        if (schema.path("description").isTextual()) {
            parameters.description(schema.path("description").textValue());
        }
        Map<String, JsonSchemaElement> definitions = elements(schema, "$defs");
        if (!definitions.isEmpty()) {
            parameters.definitions(definitions);
        }
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(parameters.build())
                .build();
    }

    private static Map<String, JsonSchemaElement> elements(JsonNode schema, String keyword) {
        Map<String, JsonSchemaElement> elements = new LinkedHashMap<>();
        schema.path(keyword)
                .properties()
                .forEach(element -> elements.put(
                        element.getKey(), JsonRawSchema.from(element.getValue().toString())));
        return elements;
    }
}
