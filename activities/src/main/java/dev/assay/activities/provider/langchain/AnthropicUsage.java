package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.model.anthropic.AnthropicChatResponseMetadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The usage of an answer of Anthropic, as it was sent. LangChain4j counts what a stream leaves out as 0.
 *
 * @param reported the numbers under Anthropic's names; empty: there are none
 */
public record AnthropicUsage(JsonNode reported) {

    private static final String OUTPUT = "output_tokens";

    static AnthropicUsage of(AnthropicChatResponseMetadata metadata) {
        if (metadata.rawHttpResponse() != null) {
            return new AnthropicUsage(
                    Json.tree(metadata.rawHttpResponse().body()).path("usage"));
        }
        List<ServerSentEvent> events = metadata.rawServerSentEvents();
        return new AnthropicUsage(events == null ? JsonNodeFactory.instance.objectNode() : streamed(events));
    }

    /** The numbers of the first event, and later ones over them. The first event counts the output before there is any. */
    private static JsonNode streamed(List<ServerSentEvent> events) {
        ObjectNode usage = JsonNodeFactory.instance.objectNode();
        for (ServerSentEvent event : events) {
            if (event.data() == null || !event.data().contains("\"usage\"")) {
                continue;
            }
            JsonNode data = Json.tree(event.data());
            switch (data.path("type").asText()) {
                case "message_start" -> {
                    put(usage, data.path("message").path("usage"));
                    usage.remove(OUTPUT);
                }
                case "message_delta" -> put(usage, data.path("usage"));
                default -> {}
            }
        }
        return usage;
    }

    private static void put(ObjectNode usage, JsonNode numbers) {
        numbers.properties().stream()
                .filter(number -> !number.getValue().isNull())
                .forEach(number -> usage.set(number.getKey(), number.getValue()));
    }

    /** The tier that served it; null: it is not said. */
    @Nullable
    String tier() {
        return reported.path("service_tier").textValue();
    }

    /**
     * Anthropic counts input tokens apart from those read from and written to the cache. Assay counts the former in the
     * input, as OpenAI does, and the latter apart; all of them are in the total.
     */
    public Usage tokens() {
        Long read = Wire.count(reported.path("cache_read_input_tokens"));
        Long written = Wire.count(reported.path("cache_creation_input_tokens"));
        Long uncached = Wire.count(reported.path("input_tokens"));
        Long output = Wire.count(reported.path(OUTPUT));
        Long input = uncached == null ? null : (Long) (uncached + orNone(read));
        Long total = input == null || output == null ? null : (Long) (input + output + orNone(written));
        return new Usage(input, output, null, read, written, total);
    }

    private static long orNone(@Nullable Long count) {
        return count == null ? 0 : count;
    }
}
