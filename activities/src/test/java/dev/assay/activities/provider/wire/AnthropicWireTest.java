package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.util.List;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnthropicWireTest {

    private static Requests.Asked with(Thinking thinking, String parameters, int maxOutputTokens) {
        return Requests.to("anthropic", thinking, Requests.parameters(parameters), maxOutputTokens);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/v1", "/v1/"})
    void shouldSendConversationAndReadReplyWhenAsked(String path) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.ANTHROPIC_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url() + path)) {
            ModelReply reply = Requests.to("anthropic").ask(catalog);

            StubProvider.Asked asked = stub.asked().getFirst();
            assertThat(asked.path()).isEqualTo("/v1/messages");
            assertThat(asked.header("x-api-key")).isEqualTo(Requests.KEY);
            assertThat(asked.body().path("system").path(0).path("text").asText())
                    .isEqualTo("Be concise.");
            assertThat(asked.body().path("messages").path(2)).isEqualTo(Json.tree("""
                {"role":"user","content":[{"type":"text","text":"What is the capital of France?"}]}\
                """));
            assertThat(asked.body().path("max_tokens").asInt()).isEqualTo(500);
            assertThat(asked.body().has("thinking")).isFalse();
            assertThat(reply.message())
                    .isEqualTo(new Message(
                            Role.ASSISTANT,
                            List.of(new Content.Thinking("France, so Paris", "x"), new Content.Text("Paris.")),
                            null));
            assertThat(reply.measured().usage())
                    .as("input counts what was read from the cache; the total counts everything")
                    .isEqualTo(new Usage(20L, 9L, null, 8L, 3L, 32L));
        }
    }

    static Stream<Arguments> reported() {
        Usage input = new Usage(7L, null, null, null, null, null);
        Usage output = new Usage(null, 9L, null, null, null, null);
        return Stream.of(
                arguments("null", Usage.UNKNOWN),
                arguments("{}", Usage.UNKNOWN),
                arguments("{\"input_tokens\":7}", input),
                arguments("{\"output_tokens\":9}", output),
                arguments("{\"input_tokens\":7,\"output_tokens\":9}", new Usage(7L, 9L, null, null, null, 16L)));
    }

    @ParameterizedTest
    @MethodSource("reported")
    void shouldLeaveUnknownWhatTheProviderDoesNotReport(String usage, Usage expected) throws Exception {
        String body = Requests.ANTHROPIC_ANSWER.replaceFirst(
                "\"usage\":\\{[^}]*}", Matcher.quoteReplacement("\"usage\":" + usage));
        try (StubProvider stub = StubProvider.answering(200, body);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            assertThat(Requests.to("anthropic").ask(catalog).measured().usage()).isEqualTo(expected);
        }
    }

    @Test
    void shouldKeepMaxTokensWhenThereIsRoomForThinking() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.ANTHROPIC_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            with(Thinking.HIGH, "{}", 20_000).ask(catalog);

            assertThat(stub.asked().getLast().body().path("max_tokens").asInt()).isEqualTo(20_000);
        }
    }

    @Test
    void shouldLeaveOutParametersWithAWarningWhenAnthropicHasNone() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.ANTHROPIC_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = with(Thinking.OFF, "{\"seed\":1,\"temperature\":0.5,\"topP\":0.9,\"stop\":\"END\"}", 100)
                    .ask(catalog);

            JsonNode body = stub.asked().getFirst().body();
            assertThat(body.has("seed")).isFalse();
            assertThat(body.path("temperature").asDouble()).isEqualTo(0.5);
            assertThat(body.path("top_p").asDouble()).isEqualTo(0.9);
            assertThat(body.path("stop_sequences")).isEqualTo(Json.tree("[\"END\"]"));
            assertThat(reply.warnings()).containsExactly("Provider anthropic has no parameter seed: it was left out.");
        }
    }
}
