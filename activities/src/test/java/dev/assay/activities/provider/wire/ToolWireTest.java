package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.tool.ToolSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tools, calls and results on both wires. */
class ToolWireTest {

    private static final ToolSpec WEATHER = new ToolSpec("weather", "The weather.", Json.tree("""
        {"type":"object","required":["city"],"properties":{
        "city":{"type":"string","minLength":2},"days":{"$ref":"#/$defs/days"}},
        "$defs":{"days":{"type":"integer","maximum":7}}}\
        """));

    private static final Message CALLS = new Message(
            Role.ASSISTANT,
            List.of(
                    new Content.Thinking("Both.", "sig"),
                    new Content.Text("Looking."),
                    new Content.ToolCall("c1", "weather", Json.tree("{\"city\":\"Rome\"}")),
                    new Content.ToolCall("c2", "weather", Json.tree("{\"city\":\"Oslo\"}"))),
            null);

    private static Message result(String id, String text, boolean isError) {
        return new Message(Role.TOOL, List.of(new Content.Text(text)), new Message.ToolResult(id, "weather", isError));
    }

    private static Requests.Asked request(String provider) {
        return new Requests.Asked(
                Requests.choice(provider),
                new ModelRequest(
                        "Be concise.",
                        List.of(
                                Message.user("Weather?"),
                                CALLS,
                                result("c1", "sunny", false),
                                result("c2", "timeout", true)),
                        List.of(WEATHER),
                        1,
                        1,
                        2,
                        500,
                        Duration.ofSeconds(20)));
    }

    @Test
    void shouldSpeakOfToolsAsOpenAiDoes() throws Exception {
        String answer = """
            {"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"finish_reason":"tool_calls",
            "message":{"role":"assistant","content":null,"tool_calls":[
            {"id":"c3","type":"function","function":{"name":"weather","arguments":"{\\"city\\":\\"Bonn\\"}"}},
            {"id":"c4","type":"function","function":{"name":"weather","arguments":"{\\"n\\":1e999999999}"}}]}}],
            "usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\
            """;
        try (StubProvider stub = StubProvider.answering(200, answer);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = request("openai").ask(catalog);

            JsonNode body = stub.asked().getFirst().body();
            assertThat(body.path("tools")).hasSize(1);
            JsonNode function = body.path("tools").path(0).path("function");
            assertThat(function.path("name").asText()).isEqualTo("weather");
            assertThat(function.path("description").asText()).isEqualTo("The weather.");
            assertThat(function.path("parameters")).isEqualTo(WEATHER.parameters());
            JsonNode messages = body.path("messages");
            assertThat(messages.path(2)
                            .path("tool_calls")
                            .path(1)
                            .path("function")
                            .path("arguments")
                            .asText())
                    .isEqualTo("{\"city\":\"Oslo\"}");
            assertThat(messages.path(3).path("role").asText()).isEqualTo("tool");
            assertThat(messages.path(3).path("tool_call_id").asText()).isEqualTo("c1");
            assertThat(messages.path(4).path("content").asText()).isEqualTo("timeout");
            assertThat(reply.message().toolCalls())
                    .as("arguments whose number cannot be written out stay a text")
                    .containsExactly(
                            new Content.ToolCall("c3", "weather", Json.tree("{\"city\":\"Bonn\"}")),
                            new Content.ToolCall("c4", "weather", Json.tree("\"{\\\"n\\\":1e999999999}\"")));
        }
    }

    @Test
    void shouldSpeakOfToolsAsAnthropicDoes() throws Exception {
        String answer = """
            {"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hm."},
            {"type":"tool_use","id":"c3","name":"weather","input":{"city":"Bonn"}}],
            "stop_reason":"tool_use","usage":{"input_tokens":12,"output_tokens":9}}\
            """;
        try (StubProvider stub = StubProvider.answering(200, answer);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = request("anthropic").ask(catalog);

            JsonNode body = stub.asked().getFirst().body();
            JsonNode tool = body.path("tools").path(0);
            assertThat(tool.path("name").asText()).isEqualTo("weather");
            assertThat(tool.path("input_schema").path("properties"))
                    .isEqualTo(WEATHER.parameters().path("properties"));
            assertThat(tool.path("input_schema").path("required")).isEqualTo(Json.tree("[\"city\"]"));
            JsonNode messages = body.path("messages");
            assertThat(messages.path(1).path("content").path(0))
                    .as("a signed thought goes back; the API wants it before calls of tools")
                    .isEqualTo(Json.tree("{\"type\":\"thinking\",\"thinking\":\"Both.\",\"signature\":\"sig\"}"));
            assertThat(messages.path(1).path("content").path(3).path("type").asText())
                    .isEqualTo("tool_use");
            assertThat(messages.path(1).path("content").path(3).path("input"))
                    .isEqualTo(Json.tree("{\"city\":\"Oslo\"}"));
            JsonNode results = messages.path(2).path("content");
            assertThat(results).hasSize(2);
            assertThat(results.path(0).path("tool_use_id").asText()).isEqualTo("c1");
            assertThat(results.path(1).path("is_error").asBoolean()).isTrue();
            assertThat(reply.message().toolCalls())
                    .containsExactly(new Content.ToolCall("c3", "weather", Json.tree("{\"city\":\"Bonn\"}")));
        }
    }
}
