package dev.assay.domain.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class StorableMessagesTest {

    private static Message call(JsonNode arguments) {
        return new Message(
                Role.ASSISTANT,
                List.of(
                        new Content.Text("I\0"),
                        new Content.Thinking("\ud800", "s\0"),
                        new Content.ToolCall("id\0", "na\0me", arguments)),
                null);
    }

    private static JsonNode storable(JsonNode arguments) {
        Content.ToolCall call = (Content.ToolCall)
                StorableMessages.of(call(arguments)).content().getLast();
        return call.arguments();
    }

    @Test
    void shouldReplaceWhatCannotBeStoredInEveryBlockWhenAModelSaysIt() {
        JsonNode arguments = Json.tree("{\"a\\u0000\": [\"b\\u0000\", {\"\\ud800\": 1}], \"\": null}");

        Message storable = StorableMessages.of(call(arguments));

        assertThat(storable.content())
                .containsExactly(
                        new Content.Text("I\uFFFD"),
                        new Content.Thinking("\uFFFD", "s\uFFFD"),
                        new Content.ToolCall(
                                "id\uFFFD",
                                "na\uFFFDme",
                                Json.tree("{\"a\uFFFD\": [\"b\uFFFD\", {\"\uFFFD\": 1}], \"\": null}")));
        Message result = new Message(Role.TOOL, List.of(), new Message.ToolResult("c\0", "n", false));
        assertThat(StorableMessages.of(result).toolResult()).isEqualTo(new Message.ToolResult("c\uFFFD", "n", false));
    }

    @Test
    void shouldKeepTheMessageItselfWhenItIsStorable() {
        Message message = new Message(
                Role.ASSISTANT,
                List.of(new Content.Text("Paris"), new Content.ToolCall("i", "n", Json.tree("{\"a\": [1.50, \"x\"]}"))),
                null);

        assertThat(StorableMessages.of(message)).isSameAs(message);
    }

    @Test
    void shouldWriteANumberAsTextWhenItCannotBeWrittenOut() {
        ObjectNode arguments = JsonNodeFactory.instance.objectNode();
        arguments.set("n", DecimalNode.valueOf(new BigDecimal("1e2000000000")));

        assertThat(Json.write(storable(arguments))).isEqualTo("{\"n\":\"1E+2000000000\"}");
    }

    @Test
    void shouldCutWhatIsNestedTooDeeplyWhenItCouldNotBeWritten() {
        JsonNode deep = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < 990; i++) {
            deep = JsonNodeFactory.instance.objectNode().set("x", deep);
        }

        JsonNode storable = storable(deep);

        int depth = 0;
        for (JsonNode node = storable; node.isObject(); node = node.path("x")) {
            depth++;
        }
        assertThat(depth).isEqualTo(StorableJson.MAX_DEPTH);
        assertThat(StorableJson.of(storable)).isSameAs(storable);
    }
}
