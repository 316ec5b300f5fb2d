package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.model.AnswerListener;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.RawServer;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.event.AgentEvent.MessageUpdate.Part;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Content;
import dev.assay.domain.message.Message;
import dev.assay.domain.message.Role;
import dev.assay.domain.usage.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamingTest {

    private static final String OPENAI = """
        data: {"id":"1","model":"some-model-1","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"Fran"}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{"reasoning_content":"ce"}}]}

        : a comment

        data: {"id":"1","choices":[{"index":0,"delta":{"content":"Par"}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{"content":"is."}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"search","arguments":""}}]}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"q\\":"}}]}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}

        data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

        data: {"id":"1","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":9,"total_tokens":21}}

        data: [DONE]

        """;

    private static final String ANTHROPIC = """
        event: message_start
        data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"some-model","content":[],"usage":{"input_tokens":12,"output_tokens":1,"cache_read_input_tokens":8,"cache_creation_input_tokens":3,"service_tier":"priority"}}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"France"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

        event: ping
        data: {"type":"ping"}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Par"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"is."}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":1}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}

        event: message_stop
        data: {"type":"message_stop"}

        """;

    /** What was heard, a piece a line. */
    private static final class Heard implements AnswerListener {

        private final List<String> pieces = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch first = new CountDownLatch(1);

        @Override
        public void piece(Part part, int index, @Nullable String toolName, String text) {
            pieces.add(part + " " + index + " " + toolName + " " + text);
            first.countDown();
        }

        @Override
        public void pause() {}
    }

    private static ModelReply ask(ProviderCatalog catalog, String provider, Heard heard) throws InterruptedException {
        return ask(catalog, provider, heard, Duration.ofSeconds(20));
    }

    private static ModelReply ask(ProviderCatalog catalog, String provider, Heard heard, Duration timeout)
            throws InterruptedException {
        return catalog.client(Requests.choice(provider)).ask(Requests.request(500, timeout), heard);
    }

    private static void stream(HttpExchange exchange, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable ModelException failure(String provider, String body) throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, body));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            return catchThrowableOfType(ModelException.class, () -> ask(catalog, provider, new Heard()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void shouldTellThinkingTextAndToolCallsInTheMakingWhenOpenAiStreams(String lineEnd) throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, OPENAI.replace("\n", lineEnd)));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            Heard heard = new Heard();

            ModelReply reply = ask(catalog, "openai", heard);

            assertThat(heard.pieces)
                    .containsExactly(
                            "THINKING 0 null Fran",
                            "THINKING 0 null ce",
                            "TEXT 0 null Par",
                            "TEXT 0 null is.",
                            "TOOL_CALL 0 search {\"q\":",
                            "TOOL_CALL 0 search 1}");
            assertThat(reply.message())
                    .isEqualTo(new Message(
                            Role.ASSISTANT,
                            List.of(
                                    new Content.Thinking("France", null),
                                    new Content.Text("Paris."),
                                    new Content.ToolCall("c1", "search", Json.tree("{\"q\":1}"))),
                            null));
            assertThat(reply.measured().usage()).isEqualTo(new Usage(12L, 9L, null, null, null, 21L));
            assertThat(reply.finishReason()).isEqualTo("tool_execution");
            assertThat(stub.asked().getFirst().body().path("stream").asBoolean())
                    .isTrue();
            assertThat(stub.asked()
                            .getFirst()
                            .body()
                            .at("/stream_options/include_usage")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void shouldTellThinkingAndTextWhenAnthropicStreams() throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, ANTHROPIC));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            Heard heard = new Heard();

            ModelReply reply = ask(catalog, "anthropic", heard);

            assertThat(heard.pieces).containsExactly("THINKING 0 null France", "TEXT 0 null Par", "TEXT 0 null is.");
            assertThat(reply.message())
                    .isEqualTo(new Message(
                            Role.ASSISTANT,
                            List.of(new Content.Thinking("France", "x"), new Content.Text("Paris.")),
                            null));
            assertThat(reply.measured().usage()).isEqualTo(new Usage(20L, 9L, null, 8L, 3L, 32L));
        }
    }

    private static Usage streamed(String provider, String body) throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, body));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            return ask(catalog, provider, new Heard()).measured().usage();
        }
    }

    @Test
    void shouldLeaveUnknownWhatAStreamDoesNotReport() throws Exception {
        String counts = "\"usage\":{\"prompt_tokens\":12,\"completion_tokens\":9,\"total_tokens\":21}";
        Usage input = new Usage(20L, null, null, 8L, 3L, null);
        Usage output = new Usage(null, 9L, null, null, null, null);

        assertThat(streamed("openai", OPENAI.replace("," + counts, ""))).isEqualTo(Usage.UNKNOWN);
        assertThat(streamed("openai", OPENAI.replace(counts, "\"usage\":{\"completion_tokens\":9}")))
                .isEqualTo(output);
        assertThat(streamed("anthropic", ANTHROPIC.replace(",\"usage\":{\"output_tokens\":9}", "")))
                .as("the first event counts the output before there is any")
                .isEqualTo(input);
        String silent = ANTHROPIC.replaceFirst(",\"usage\":\\{\"input_tokens[^}]*}", "");
        assertThat(streamed("anthropic", silent)).isEqualTo(output);
        assertThat(streamed("anthropic", silent.replace(",\"usage\":{\"output_tokens\":9}", "")))
                .isEqualTo(Usage.UNKNOWN);
    }

    @Test
    void shouldAskForThinkingInTheSameFormAndSayWhatServedWhenAnthropicStreams() throws Exception {
        ModelChoice choice = new ModelChoice("anthropic", "some-model", Thinking.HIGH, Map.of());
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, ANTHROPIC));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelReply reply = catalog.client(choice).ask(Requests.request(500, Duration.ofSeconds(20)), new Heard());

            assertThat(stub.asked().getFirst().body().path("stream").asBoolean())
                    .isTrue();
            assertThat(reply.provenance().effective()).isEqualTo(Json.tree("""
                {"model": "some-model", "max_tokens": 8692,
                 "thinking": {"type": "adaptive", "display": "summarized"}, "output_config": {"effort": "high"}}\
                """));
            assertThat(reply.provenance().served()).isEqualTo(new Served("some-model", null, "priority"));
        }
    }

    @Test
    void shouldTellAPieceBeforeTheAnswerIsWhole() throws Exception {
        CountDownLatch heardFirst = new CountDownLatch(1);
        try (StubProvider stub = new StubProvider(exchange -> {
                    stream(exchange, OPENAI.substring(0, OPENAI.indexOf("[DONE]") - "data: ".length()));
                    exchange.getResponseBody().flush();
                    heardFirst.await();
                    exchange.getResponseBody().write("data: [DONE]\n\n".getBytes(StandardCharsets.UTF_8));
                });
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            Heard heard = new Heard();
            CompletableFuture<ModelReply> reply = CompletableFuture.supplyAsync(() -> {
                try {
                    return ask(catalog, "openai", heard);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });

            assertThat(heard.first.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(reply).isNotDone();
            heardFirst.countDown();

            assertThat(reply.get(10, TimeUnit.SECONDS).message().text()).isEqualTo("Paris.");
        }
    }

    @Test
    void shouldAskOnceMoreWithoutUsageAndRememberItWhenTheEndpointDoesNotKnowIt() throws Exception {
        List<StubProvider> self = new ArrayList<>();
        try (StubProvider stub = new StubProvider(exchange -> {
                    if (self.getFirst().asked().getLast().body().has("stream_options")) {
                        StubProvider.answer(
                                exchange, 400, "{\"error\":{\"message\":\"Unknown parameter: 'stream_options'\"}}");
                    } else {
                        stream(exchange, OPENAI);
                    }
                });
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            self.add(stub);

            assertThat(ask(catalog, "openai", new Heard()).message().text()).isEqualTo("Paris.");
            assertThat(stub.asked()).hasSize(2);
            assertThat(ask(catalog, "openai", new Heard()).message().text()).isEqualTo("Paris.");
            assertThat(stub.asked()).hasSize(3);
            assertThat(stub.asked().getLast().body().path("stream").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldAskForWholeAnswersWhenTheModelIsNotStreamed() throws Exception {
        List<StubProvider> self = new ArrayList<>();
        try (StubProvider stub = new StubProvider(exchange -> {
                    if (self.getFirst().asked().getLast().body().path("stream").asBoolean()) {
                        StubProvider.answer(
                                exchange,
                                400,
                                "{\"error\":{\"message\":\"Your organization must be verified to stream this model.\","
                                        + "\"param\":\"stream\",\"code\":\"unsupported_value\"}}");
                    } else {
                        StubProvider.answer(exchange, 200, Requests.OPENAI_ANSWER);
                    }
                });
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            self.add(stub);

            assertThat(ask(catalog, "openai", new Heard()).message().text()).isEqualTo("Paris.");
            assertThat(ask(catalog, "openai", new Heard()).message().text()).isEqualTo("Paris.");
            assertThat(stub.asked()).hasSize(3);
        }
    }

    @Test
    void shouldReadTheAnswerWhenTheEndpointIgnoresThatItIsToStream() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, Requests.OPENAI_ANSWER);
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            Heard heard = new Heard();

            assertThat(ask(catalog, "openai", heard).message().text()).isEqualTo("Paris.");

            assertThat(heard.pieces).isEmpty();
            assertThat(stub.asked()).hasSize(1);
        }
    }

    @Test
    void shouldKeepTheWordsOfARefusalWhenItIsStreamed() throws Exception {
        String body = """
            data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null}}]}

            data: {"choices":[{"index":0,"delta":{"refusal":"I can"}}]}

            data: {"choices":[{"index":0,"delta":{"refusal":"not."},"finish_reason":"stop"}]}

            data: [DONE]

            """;
        try (StubProvider stub = new StubProvider(exchange -> stream(exchange, body));
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            assertThat(ask(catalog, "openai", new Heard()).message()).isEqualTo(Message.assistant("I cannot."));
        }
    }

    @ParameterizedTest
    @CsvSource({"openai,Par", "openai,is.", "anthropic,Par", "anthropic,message_stop", "openai,finish_reason"})
    void shouldFailRetryablyWhenTheStreamIsCut(String provider, String before) throws Exception {
        String whole = provider.equals("openai") ? OPENAI : ANTHROPIC;
        int event = whole.lastIndexOf("\n\n", whole.indexOf(before));

        ModelException failure = failure(provider, whole.substring(0, event + 2));

        assertThat(failure).isNotNull();
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.failure().code().retryable()).isTrue();
    }

    @Test
    void shouldFailRetryablyWhenTheConnectionBreaks() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n";
        try (RawServer server = RawServer.dropping(head + OPENAI);
                ProviderCatalog catalog = Requests.catalog(server.url())) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> ask(catalog, "openai", new Heard()));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "openai|{\"error\":{\"message\":\"The engine fell"
                        + " over\",\"type\":\"server_error\"}}|PROVIDER_UNAVAILABLE",
                "openai|{\"error\":{\"message\":\"Slow down\",\"code\":429}}|PROVIDER_RATE_LIMITED",
                "anthropic|{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}|PROVIDER_UNAVAILABLE",
                "anthropic|{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"No\"}}|PROVIDER_REJECTED",
                "openai|no JSON at all|PROVIDER_CONNECTION",
            })
    void shouldClassifyAnErrorAmongTheEvents(String provider, String error, ErrorCode code) throws Exception {
        String whole = provider.equals("openai") ? OPENAI : ANTHROPIC;
        int half = whole.lastIndexOf("\n\n", whole.indexOf("is.")) + 2;

        ModelException failure = failure(provider, whole.substring(0, half) + "event: error\ndata: " + error + "\n\n");

        assertThat(failure).isNotNull();
        assertThat(failure.failure().code()).as(failure.getMessage()).isEqualTo(code);
    }

    @Test
    void shouldStopReadingWhenALineNeverEnds() throws Exception {
        ModelException failure = failure("openai", "data: " + "x".repeat(5 * 1024 * 1024));

        assertThat(failure).isNotNull();
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.failure().message()).contains("longer than 4 MiB");
    }

    @Test
    void shouldStopReadingWhenTheStreamNeverEnds() throws Exception {
        byte[] chunk = (": " + "x".repeat(1_000_000) + "\n").getBytes(StandardCharsets.UTF_8);
        try (StubProvider stub = new StubProvider(exchange -> {
                    stream(exchange, "");
                    while (true) {
                        exchange.getResponseBody().write(chunk);
                    }
                });
                ProviderCatalog catalog = Requests.catalog(stub.url())) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> ask(catalog, "openai", new Heard()));

            assertThat(failure.failure().message()).contains("longer than 64 MiB");
        }
    }

    @Test
    void shouldTimeOutWhenAStreamGoesOnForTooLong() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n";
        try (RawServer server = RawServer.holding(head + OPENAI);
                ProviderCatalog catalog = Requests.catalog(server.url())) {
            ModelException failure = catchThrowableOfType(
                    ModelException.class, () -> ask(catalog, "openai", new Heard(), Duration.ofMillis(500)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            server.awaitClose();
        }
    }

    @Test
    void shouldAbortAStreamWhenInterrupted() throws Exception {
        String head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100000\r\n\r\n";
        try (RawServer server = RawServer.holding(head + OPENAI);
                ProviderCatalog catalog = Requests.catalog(server.url())) {
            Heard heard = new Heard();
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    ask(catalog, "openai", heard);
                    thrown.complete(new AssertionError("answered"));
                } catch (Throwable e) {
                    thrown.complete(e);
                }
            });
            assertThat(heard.first.await(10, TimeUnit.SECONDS)).isTrue();

            long interrupted = System.nanoTime();
            caller.interrupt();

            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(Duration.ofNanos(server.awaitClose() - interrupted)).isLessThan(Duration.ofSeconds(2));
        }
    }
}
