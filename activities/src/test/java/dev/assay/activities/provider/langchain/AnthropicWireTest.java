package dev.assay.activities.provider.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.LogCapture;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
                    .isEqualTo(new Usage(20, 9, 0, 8, 3, 32));
        }
    }

    @ParameterizedTest
    @CsvSource({"MINIMAL,1024", "LOW,1024", "MEDIUM,2048", "HIGH,8192"})
    void shouldSendBudgetBelowMaxTokensWhenThinking(Thinking thinking, int budget) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.ANTHROPIC_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            Requests.Asked small = with(thinking, "{}", 500);
            small.ask(catalog);
            with(thinking, "{}", 20_000).ask(catalog);

            JsonNode first = stub.asked().getFirst().body();
            assertThat(first.path("thinking"))
                    .isEqualTo(Json.tree("{\"type\":\"enabled\",\"budget_tokens\":" + budget + "}"));
            assertThat(first.path("max_tokens").asInt())
                    .isEqualTo(budget + 500)
                    .isEqualTo(catalog.outputTokenBound(small.choice(), 500));
            assertThat(stub.asked().getLast().body().path("max_tokens").asInt()).isEqualTo(20_000);
        }
    }

    @Test
    void shouldLeaveOutParametersWithOneWarningWhenAnthropicHasNone() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.ANTHROPIC_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url());
                LogCapture logs = new LogCapture()) {
            for (int maxOutputTokens : new int[] {100, 200}) {
                with(Thinking.OFF, "{\"seed\":1,\"temperature\":0.5,\"topP\":0.9,\"stop\":\"END\"}", maxOutputTokens)
                        .ask(catalog);
            }

            JsonNode body = stub.asked().getFirst().body();
            assertThat(body.has("seed")).isFalse();
            assertThat(body.path("temperature").asDouble()).isEqualTo(0.5);
            assertThat(body.path("top_p").asDouble()).isEqualTo(0.9);
            assertThat(body.path("stop_sequences")).isEqualTo(Json.tree("[\"END\"]"));
            assertThat(logs.warnings()).singleElement().asString().contains("anthropic", "seed");
        }
    }

    @Test
    void shouldAskWithoutThinkingWhenModelRefusesIt() throws Exception {
        String refusal = "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":"
                + "\"'claude-3-haiku' does not support thinking.\"}}";
        try (StubProvider stub = new StubProvider(exchange -> StubProvider.answer(exchange, 400, refusal));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            catchThrowableOfType(
                    ModelException.class, () -> with(Thinking.LOW, "{}", 500).ask(catalog));

            assertThat(stub.asked()).hasSize(2);
            assertThat(stub.asked().getLast().body().has("thinking")).isFalse();
            assertThat(stub.asked().getLast().body().path("max_tokens").asInt()).isEqualTo(500);
        }
    }
}
