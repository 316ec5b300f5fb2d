package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.provider.wire.Wire.ThinkingForm;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Usage;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenAiWireTest {

    private static ModelReply ask(StubProvider stub, Requests.Asked asked) throws InterruptedException {
        try (ProviderCatalog catalog = Requests.catalog(stub.url())) {
            return asked.ask(catalog);
        }
    }

    private static Requests.Asked with(Thinking thinking, String parameters) {
        return Requests.to("openai", thinking, Requests.parameters(parameters), 500);
    }

    @Test
    void shouldSendConversationAndReadReplyWhenAsked() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ModelReply reply = ask(stub, with(Thinking.OFF, "{}"));

            StubProvider.Asked asked = stub.asked().getFirst();
            assertThat(asked.path()).isEqualTo("/v1/chat/completions");
            assertThat(asked.header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
            assertThat(asked.body().path("messages")).isEqualTo(Json.tree("""
                [{"role":"system","content":"Be concise."},{"role":"user","content":"Hello"},
                {"role":"assistant","content":"Hi, how can I help?"},
                {"role":"user","content":"What is the capital of France?"}]\
                """));
            assertThat(asked.body().path("model").asText()).isEqualTo("some-model");
            assertThat(reply.message())
                    .isEqualTo(new Message(
                            Role.ASSISTANT,
                            List.of(new Content.Thinking("France, so Paris"), new Content.Text("Paris.")),
                            null));
            assertThat(reply.measured().usage()).isEqualTo(new Usage(20L, 9L, 5L, 8L, null, 29L));
            assertThat(reply.measured().costUsd()).as("no price is known").isNull();
            assertThat(reply.measured().latency()).isPositive();
        }
    }

    @Test
    void shouldSendEveryParameterWhenGiven() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ask(stub, with(Thinking.OFF, """
                {"temperature":0,"topP":0.5,"maxOutputTokens":7,"seed":42,"stop":["END","."],
                "frequencyPenalty":0.25,"presencePenalty":-1}\
                """));

            JsonNode body = stub.asked().getFirst().body();
            assertThat(body.path("temperature").asDouble(9)).isZero();
            assertThat(body.path("top_p").asDouble()).isEqualTo(0.5);
            assertThat(body.path("max_tokens").asInt())
                    .as("the request's own bound")
                    .isEqualTo(500);
            assertThat(body.has("max_completion_tokens")).isFalse();
            assertThat(body.path("seed").asInt()).isEqualTo(42);
            assertThat(body.path("stop")).isEqualTo(Json.tree("[\"END\",\".\"]"));
            assertThat(body.path("frequency_penalty").asDouble()).isEqualTo(0.25);
            assertThat(body.path("presence_penalty").asDouble()).isEqualTo(-1);
            assertThat(body.has("reasoning_effort")).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        "json"                                                 | {"type":"json_object"}
        {"name":"n","schema":{"type":"object"},"strict":false} | {"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":false}}
        """)
    void shouldAskForTheFormOfTheAnswer(String format, String sent) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ModelReply reply = ask(stub, with(Thinking.OFF, "{\"responseFormat\":" + format + "}"));

            assertThat(stub.asked().getFirst().body().path("response_format")).isEqualTo(Json.tree(sent));
            assertThat(reply.provenance().effective().path("response_format"))
                    .as("the schema is on record with the campaign")
                    .isEqualTo(Json.tree(sent.replace("\"schema\":{\"type\":\"object\"},", "")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "https://api.openai.com/v1, true",
        "https://eu.api.openai.com/v1, true",
        "https://notopenai.com/v1, false"
    })
    void shouldBoundCompletionTokensWhenHostIsOpenAis(String url, boolean own) {
        ProviderSettings settings =
                new ProviderSettings("openai", ProviderType.OPENAI, URI.create(url), null, 1, 1, Map.of());
        JsonNode sent = new OpenAiWire(settings)
                .request(new Wire.Asked(
                        Requests.choice("openai"),
                        ThinkingForm.NONE,
                        StreamingSupport.Way.WHOLE,
                        Requests.request(500, Duration.ofSeconds(20))));

        assertThat(sent.path("max_completion_tokens").asInt()).isEqualTo(own ? 500 : 0);
        assertThat(sent.path("max_tokens").asInt()).isEqualTo(own ? 0 : 500);
    }

    @ParameterizedTest
    @CsvSource({"MINIMAL, low", "LOW, low", "MEDIUM, medium", "HIGH, high", "XHIGH, xhigh", "MAX, max"})
    void shouldSendEffortWhenThinking(Thinking thinking, String effort) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ask(stub, with(thinking, "{}"));

            assertThat(stub.asked().getFirst().body().path("reasoning_effort").asText())
                    .isEqualTo(effort);
        }
    }

    @ParameterizedTest
    @CsvSource({"false, high", "true, high ''"})
    void shouldLeaveThinkingOutOnlyWhenItIsOptional(boolean optional, String efforts) throws Exception {
        String refusal =
                "{\"error\":{\"message\":\"Unsupported parameter: 'reasoning_effort' is not supported with this"
                    + " model.\","
                    + "\"type\":\"invalid_request_error\",\"param\":\"reasoning_effort\",\"code\":\"unsupported_parameter\"}}";
        ModelChoice choice = new ModelChoice("openai", "some-model", Thinking.HIGH, optional, Map.of());
        // The stub always refuses: the second request, without thinking, shows what was left out.
        try (StubProvider stub = StubProvider.answering(400, refusal)) {
            ModelException refused = catchThrowableOfType(
                    ModelException.class,
                    () -> ask(stub, new Requests.Asked(choice, Requests.request(500, Duration.ofSeconds(20)))));

            assertThat(refused.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(stub.asked())
                    .extracting(asked -> asked.body().path("reasoning_effort").asText("''"))
                    .containsExactly(efforts.split(" "));
        }
    }

    @Test
    void shouldSayWhatWasSentAndServedWhenTheModelAnswers() throws Exception {
        String answer = Requests.OPENAI_ANSWER.replace(
                "\"model\":\"m\"",
                "\"model\":\"served-2026-10-01\",\"system_fingerprint\":\"fp_1\",\"service_tier\":\"flex\"");
        try (StubProvider stub = StubProvider.answering(200, answer)) {
            ModelReply reply = ask(stub, with(Thinking.LOW, "{\"temperature\": 0.5, \"seed\": 7}"));

            assertThat(reply.provenance().effective()).isEqualTo(Json.tree("""
                {"model": "some-model", "temperature": 0.5, "seed": 7, "max_tokens": 500, "reasoning_effort": "low"}\
                """));
            assertThat(reply.provenance().served()).isEqualTo(new Served("served-2026-10-01", "fp_1", "flex"));
        }
    }

    @Test
    void shouldBoundWhatTheServerSaysOfItselfWhenItIsHostile() throws Exception {
        String answer = Requests.OPENAI_ANSWER.replace(
                "\"model\":\"m\"",
                "\"model\":\"a\\u0000b\\ud800" + "x".repeat(1_000_000)
                        + "\",\"system_fingerprint\":\"\\u0000\",\"service_tier\":null");
        try (StubProvider stub = StubProvider.answering(200, answer)) {
            Served served = ask(stub, Requests.to("openai")).provenance().served();

            assertThat(served.model()).startsWith("a b\uFFFDxxx").hasSize(200);
            assertThat(served.fingerprint()).isNull();
            assertThat(served.serviceTier()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"message\":\"Unsupported value: 'temperature' does not support 0 with this reasoning"
                        + " model.\"}}",
                "{\"error\":{\"message\":\"thinking is nice\"}}",
            })
    void shouldNotDropThinkingWhenSomethingElseIsRefused(String body) throws Exception {
        try (StubProvider stub = StubProvider.answering(400, body)) {
            catchThrowableOfType(ModelException.class, () -> ask(stub, with(Thinking.HIGH, "{}")));

            assertThat(stub.asked()).hasSize(1);
        }
    }

    @Test
    void shouldAnswerWithTheRefusalWhenModelRefuses() throws Exception {
        String body = """
            {"model":"served","choices":[{"index":0,"message":{"role":"assistant","content":null,
            "refusal":"I cannot help with that."},"finish_reason":"stop"}],"usage":{"prompt_tokens":20,"completion_tokens":6,"total_tokens":26}}\
            """;
        try (StubProvider stub = StubProvider.answering(200, body)) {
            ModelReply reply = ask(stub, Requests.to("openai"));

            assertThat(reply.message()).isEqualTo(Message.assistant("I cannot help with that."));
            assertThat(reply.measured().usage()).isEqualTo(new Usage(20L, 6L, null, null, null, 26L));
            assertThat(reply.provenance().served()).isEqualTo(new Served("served", null, null));
            assertThat(reply.provenance().effective()).isNotNull();
        }
    }

    static Stream<Arguments> reported() {
        Usage input = new Usage(7L, null, null, null, null, null);
        Usage output = new Usage(null, 9L, null, null, null, null);
        return Stream.of(
                arguments("null", Usage.UNKNOWN),
                arguments("{}", Usage.UNKNOWN),
                arguments("{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}", Usage.UNKNOWN),
                arguments("{\"prompt_tokens\":7}", input),
                arguments("{\"completion_tokens\":9}", output),
                arguments("{\"total_tokens\":16}", new Usage(null, null, null, null, null, 16L)),
                arguments("{\"prompt_tokens\":7,\"completion_tokens\":9}", new Usage(7L, 9L, null, null, null, 16L)));
    }

    @ParameterizedTest
    @MethodSource("reported")
    void shouldLeaveUnknownWhatTheProviderDoesNotReport(String usage, Usage expected) throws Exception {
        for (String message : List.of("\"content\":\"Paris.\"", "\"content\":null,\"refusal\":\"No.\"")) {
            String body =
                    "{\"choices\":[{\"message\":{\"role\":\"assistant\"," + message + "}}],\"usage\":" + usage + "}";
            try (StubProvider stub = StubProvider.answering(200, body)) {
                assertThat(ask(stub, Requests.to("openai")).measured().usage())
                        .as(message)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldGiveEmptyMessageWhenModelSaysNothing() throws Exception {
        String body = "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"\"}}]}";
        try (StubProvider stub = StubProvider.answering(200, body)) {
            assertThat(ask(stub, Requests.to("openai")).message().text()).isEmpty();
        }
    }

    @Test
    void shouldCarryToolCallsAndImagesBothWays() throws Exception {
        String body = """
            {"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_2","type":"function",
            "function":{"name":"weather","arguments":"{\\"city\\":\\"Paris\\"}"}}]},"finish_reason":"tool_calls"}]}\
            """;
        Content.ToolCall call = new Content.ToolCall("call_1", "weather", Json.tree("{\"city\":\"Lyon\"}"));
        ModelRequest request = new ModelRequest(
                " ",
                List.of(
                        new Message(
                                Role.USER,
                                List.of(new Content.Text("And here?"), new Content.Image("image/png", "iVBORw0=")),
                                null),
                        new Message(Role.ASSISTANT, List.of(new Content.Thinking("hm"), call), null),
                        new Message(
                                Role.TOOL,
                                List.of(new Content.Text("Sun")),
                                new Message.ToolResult("call_1", "weather", false))),
                1,
                1,
                500,
                Duration.ofSeconds(20));
        try (StubProvider stub = StubProvider.answering(200, body)) {
            ModelReply reply = ask(stub, new Requests.Asked(Requests.choice("openai"), request));

            JsonNode messages = stub.asked().getFirst().body().path("messages");
            assertThat(messages).as("a blank system prompt is none").hasSize(3);
            assertThat(messages.path(0)
                            .path("content")
                            .path(1)
                            .path("image_url")
                            .path("url")
                            .asText())
                    .isEqualTo("data:image/png;base64,iVBORw0=");
            assertThat(messages.path(1)
                            .path("tool_calls")
                            .path(0)
                            .path("function")
                            .path("arguments")
                            .asText())
                    .isEqualTo("{\"city\":\"Lyon\"}");
            assertThat(messages.path(2))
                    .isEqualTo(Json.tree("{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"Sun\"}"));
            assertThat(reply.message().content())
                    .containsExactly(new Content.ToolCall("call_2", "weather", Json.tree("{\"city\":\"Paris\"}")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"temprature\":1}",
                "{\"temperature\":\"hot\"}",
                "{\"seed\":1.5}",
                "{\"seed\":9999999999}",
                "{\"stop\":[1]}",
                "{\"responseFormat\":\"xml\"}",
                "{\"responseFormat\":{\"name\":\"a b\",\"schema\":{}}}"
            })
    void shouldSendNothingWhenParameterIsWrong(String parameters) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> ask(stub, with(Thinking.OFF, parameters)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(failure.failure().message()).containsAnyOf("temperature", "seed", "stop", "responseFormat");
            assertThat(stub.asked()).isEmpty();
        }
    }

    @Test
    void shouldSendNoKeyAndAddVersionWhenProviderIsOllama() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER)) {
            ask(stub, Requests.to("ollama"));

            assertThat(stub.asked().getFirst().path()).isEqualTo("/v1/chat/completions");
            assertThat(stub.asked().getFirst().header("Authorization")).isEmpty();
        }
    }
}
