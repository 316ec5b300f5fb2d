package dev.assay.domain.results.inspect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.results.form.Neutral;
import dev.assay.domain.results.form.Warnings;
import java.util.ArrayList;
import java.util.List;

/** The conversation of a sample in the words of Assay. System messages are the branch's, and left out. */
final class SampleMessages {

    private static final int LONGEST = 256;

    private final Warnings warnings;

    SampleMessages(Warnings warnings) {
        this.warnings = warnings;
    }

    /** What a sample asks: its input, a text or messages. */
    List<ObjectNode> asked(JsonNode input) {
        if (!input.isArray()) {
            return List.of(Neutral.message("user", SampleText.of(input, warnings)));
        }
        List<ObjectNode> asked = new ArrayList<>();
        for (JsonNode message : input) {
            String role = message.path("role").asText("");
            if (!role.equals("system")) {
                asked.add(Neutral.message(role, SampleText.of(message.get("content"), warnings)));
            }
        }
        return asked;
    }

    /** The messages of a sample. */
    ArrayNode all(JsonNode messages) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        for (JsonNode message : messages) {
            switch (message.path("role").asText("")) {
                case "user" -> all.add(Neutral.message("user", SampleText.of(message.get("content"), warnings)));
                case "assistant" -> all.add(assistant(message));
                case "tool" -> all.add(tool(message));
                default -> {
                    // The instructions of the branch.
                }
            }
        }
        return all;
    }

    private ObjectNode assistant(JsonNode message) {
        String text = SampleText.of(message.get("content"), warnings);
        JsonNode calls = message.path("tool_calls");
        if (!calls.isArray() || calls.isEmpty()) {
            return Neutral.message("assistant", text);
        }
        ObjectNode said = JsonNodeFactory.instance.objectNode().put("role", "assistant");
        ArrayNode blocks = said.putArray("content");
        if (!text.isEmpty()) {
            blocks.addObject().put("type", "text").put("text", text);
        }
        for (JsonNode call : calls) {
            ObjectNode block = blocks.addObject()
                    .put("type", "tool_call")
                    .put("id", Neutral.line(call.path("id").asText(""), LONGEST))
                    .put("name", Neutral.line(call.path("function").asText(""), LONGEST));
            JsonNode arguments = Neutral.plain(call.get("arguments"));
            block.set("arguments", arguments.isObject() ? arguments : JsonNodeFactory.instance.objectNode());
        }
        return said;
    }

    private ObjectNode tool(JsonNode message) {
        ObjectNode said = Neutral.message("tool", SampleText.of(message.get("content"), warnings));
        said.putObject("toolResult")
                .put("callId", Neutral.line(message.path("tool_call_id").asText(""), LONGEST))
                .put("name", Neutral.line(message.path("function").asText(""), LONGEST))
                .put("isError", message.hasNonNull("error"));
        return said;
    }

    /** The last text of the assistant, else that of the first choice. */
    String response(JsonNode sample) {
        JsonNode messages = sample.path("messages");
        for (int i = messages.size() - 1; i >= 0; i--) {
            boolean isAssistant = messages.get(i).path("role").asText("").equals("assistant");
            String text = isAssistant ? SampleText.of(messages.get(i).get("content"), warnings) : "";
            if (!text.isBlank()) {
                return text;
            }
        }
        return SampleText.of(
                sample.path("output").path("choices").path(0).path("message").get("content"), warnings);
    }
}
