package dev.assay.work.compute;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.domain.tool.ToolException;
import java.time.Instant;
import java.util.List;

/** A call of a built-in tool that computes. What the model wrote is the definition, as far as it is a program. */
public record ToolTask(BuiltInTool tool, JsonNode arguments) implements Task<Answered> {

    private record Input(BuiltInTool tool, JsonNode arguments) {}

    @Override
    public TaskKind kind() {
        return TaskKind.TOOL;
    }

    @Override
    public List<NamedDefinition> definitions() {
        return List.of(NamedDefinition.of(tool.word() + " "
                + arguments.path("path").asText() + arguments.path("expression").asText()));
    }

    @Override
    public Object input() {
        return new Input(tool, arguments);
    }

    @Override
    public Answered answer(JsonNode said) throws JsonProcessingException {
        return Strict.read(said, Answered.class);
    }

    static Performer performer(JsonNode input) throws JsonProcessingException {
        Input call = Json.mapper().treeToValue(input, Input.class);
        return _ -> {
            try {
                return Answered.text(call.tool.run(call.arguments, Instant.EPOCH));
            } catch (ToolException e) {
                return Answered.problem(e.getMessage());
            }
        };
    }
}
