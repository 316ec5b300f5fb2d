package dev.assay.activities.provider.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.delivery.DeliveredLine;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Message;
import dev.assay.domain.provider.ProviderType;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes in a batch is what goes live, and is read as what comes live. */
class BatchBodyTest {

    @TempDir
    private Path folder;

    private static String answer(String provider) {
        return provider.equals("anthropic") ? Requests.ANTHROPIC_ANSWER : Requests.OPENAI_ANSWER;
    }

    private static ModelRequest request(String prompt) {
        return new ModelRequest("Be concise.", List.of(Message.user(prompt)), 1, 1, 500, Duration.ofSeconds(20));
    }

    private ProviderCatalog catalog(StubProvider stub) throws Exception {
        Path file = Files.writeString(folder.resolve("providers.yaml"), """
            providers:
              openai: {prices: {some-model: {input: 2, output: 8, batch: {input: 1, output: 3}}}}
              google: {baseUrl: "%s/v1beta/openai"}
            """.formatted(stub.url()));
        return ProviderCatalog.load(
                file,
                Map.of(
                        "OPENAI_API_KEY", Requests.KEY,
                        "OPENAI_BASE_URL", stub.url() + "/v1",
                        "ANTHROPIC_API_KEY", Requests.KEY,
                        "ANTHROPIC_BASE_URL", stub.url(),
                        "GOOGLE_API_KEY", Requests.KEY));
    }

    private static String line(ProviderCatalog catalog, ModelChoice choice, ModelRequest request) {
        return new String(
                catalog.batches(choice.provider(), null).line("b1-7", catalog.batchBody(choice, request)),
                StandardCharsets.UTF_8);
    }

    /** The half of a surrogate pair becomes a question mark on both ways. */
    @ParameterizedTest
    @CsvSource({
        "openai, OFF, '{}'",
        "openai, HIGH, '{\"temperature\": 0.70, \"seed\": 7, \"stop\": [\"a\", \"b\"], \"responseFormat\": \"json\"}'",
        "anthropic, OFF, '{}'",
        "anthropic, MAX, '{\"topP\": 1e-3, \"stop\": \"x\"}'",
        "google, LOW, '{\"frequencyPenalty\": 1}'"
    })
    void shouldBeTheLiveBodyByteForByteButForItsStream(String provider, Thinking thinking, String parameters)
            throws Exception {
        ModelChoice choice = new ModelChoice(provider, "some-model", thinking, Requests.parameters(parameters));
        ModelRequest request = request("Grüße \"\u0000\u001b\\ \uD83D\uDE00 \uD83D {\"stream\":false}\n");
        try (StubProvider stub = StubProvider.answering(200, answer(provider));
                ProviderCatalog catalog = catalog(stub)) {
            String line = line(catalog, choice, request);
            catalog.client(choice).ask(request);

            String live = stub.asked().getFirst().text();
            assertThat(live).endsWith(",\"stream\":false}");
            String body = live.substring(0, live.length() - ",\"stream\":false}".length()) + "}";
            String before = provider.equals("anthropic")
                    ? "{\"custom_id\":\"b1-7\",\"params\":"
                    : "{\"custom_id\":\"b1-7\",\"method\":\"POST\",\"url\":\"/v1/chat/completions\",\"body\":";
            assertThat(line).isEqualTo(before + body + "}\n");
        }
    }

    @Test
    void shouldAskInTheFormOfThinkingThatTheModelTookLive() throws Exception {
        ModelChoice choice = new ModelChoice("anthropic", "some-model", Thinking.HIGH, Map.of());
        StubProvider.Behaviour onlyBudgets = exchange ->
                StubProvider.answer(exchange, 400, "{\"error\":{\"message\":\"thinking: adaptive is not supported\"}}");
        try (StubProvider stub = new StubProvider(new StubProvider.Behaviour() {
                    private boolean isSecond;

                    @Override
                    public void answer(HttpExchange exchange) throws IOException, InterruptedException {
                        if (isSecond) {
                            StubProvider.answer(exchange, 200, BatchBodyTest.answer("anthropic"));
                        } else {
                            isSecond = true;
                            onlyBudgets.answer(exchange);
                        }
                    }
                });
                ProviderCatalog catalog = catalog(stub)) {
            assertThat(line(catalog, choice, request("Hi"))).contains("\"adaptive\"");

            catalog.client(choice).ask(request("Hi").bearing("default"));

            assertThat(line(catalog, choice, request("Hi"))).contains("\"budget_tokens\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void shouldReadAnAnswerAsItIsReadLiveButForItsPriceAndTime(String provider) throws Exception {
        ModelChoice choice = Requests.choice(provider);
        ModelRequest request = request("What is the capital of France?");
        try (StubProvider stub = StubProvider.answering(200, answer(provider));
                ProviderCatalog catalog = catalog(stub)) {
            ModelReply live = catalog.client(choice).ask(request);
            ModelReply reply = catalog.batchReply(choice, request, Json.tree(answer(provider)));

            assertThat(reply.message()).isEqualTo(live.message());
            assertThat(reply.finishReason()).isEqualTo(live.finishReason());
            assertThat(reply.warnings()).isEqualTo(live.warnings());
            assertThat(reply.provenance()).isEqualTo(live.provenance());
            assertThat(reply.measured().usage()).isEqualTo(live.measured().usage());
            assertThat(reply.measured().latency()).isZero();
        }
    }

    /** 20 tokens of input, of which 8 were read from the cache at half the price of input, and 9 of output. */
    @Test
    void shouldCostThePriceOfBatches() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, answer("openai"));
                ProviderCatalog catalog = catalog(stub)) {
            ModelReply reply =
                    catalog.batchReply(Requests.choice("openai"), request("Hi"), Json.tree(answer("openai")));

            assertThat(Objects.requireNonNull(reply.measured().costUsd()))
                    .isEqualByComparingTo(new BigDecimal("0.000047"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"choices\":[]}", "{\"choices\":[{\"message\":7}]}"})
    void shouldFailAsLiveWhenAnAnswerIsNone(String body) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, body);
                ProviderCatalog catalog = catalog(stub)) {
            ModelException live = catchThrowableOfType(
                    ModelException.class,
                    () -> catalog.client(Requests.choice("openai")).ask(request("Hi")));
            ModelException read = catchThrowableOfType(
                    ModelException.class,
                    () -> catalog.batchReply(Requests.choice("openai"), request("Hi"), Json.tree(body)));

            assertThat(read.failure()).isEqualTo(live.failure());
        }
    }

    @Test
    void shouldReadARefusalOfTheModelAsAnAnswer() throws Exception {
        JsonNode body =
                Json.tree("{\"choices\":[{\"message\":{\"refusal\":\"I will not.\"},\"finish_reason\":\"stop\"}]}");
        try (StubProvider stub = StubProvider.answering(200, "{}");
                ProviderCatalog catalog = catalog(stub)) {
            ModelReply reply = catalog.batchReply(Requests.choice("openai"), request("Hi"), body);

            assertThat(reply.message().text()).isEqualTo("I will not.");
            assertThat(reply.finishReason()).isEqualTo("content_filter");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        400 | context_length_exceeded | CONTEXT_TOO_LONG
        400 | unknown_parameter       | PROVIDER_REJECTED
        401 | invalid_api_key         | PROVIDER_AUTH
        429 | rate_limit_exceeded     | PROVIDER_RATE_LIMITED
        500 | server_error            | PROVIDER_UNAVAILABLE
        """)
    void shouldFailAsLiveWhenALineWasNotAnswered(int status, String code, ErrorCode expected) throws Exception {
        String error = "{\"error\":{\"message\":\"Too bad, " + Requests.KEY + ".\",\"code\":\"" + code + "\"}}";
        DeliveredLine line = DeliveredLine.of(
                ProviderType.OPENAI,
                "{\"custom_id\":\"a\",\"response\":{\"status_code\":" + status + ",\"body\":" + error + "}}");
        try (StubProvider stub = StubProvider.answering(status, error);
                ProviderCatalog catalog = catalog(stub)) {
            ModelException live = catchThrowableOfType(
                    ModelException.class,
                    () -> catalog.client(Requests.choice("openai")).ask(request("Hi")));
            ModelException read = catalog.batchFailure("openai", null, line);

            assertThat(read.failure()).isEqualTo(live.failure());
            assertThat(read.failure().code()).isEqualTo(expected);
            assertThat(read.failure().message()).doesNotContain("sk-secret");
        }
    }

    @Test
    void shouldReadWhatWasPaidWhenTheKeyIsGone() {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of())) {
            assertThat(catalog.batchReply(Requests.choice("openai"), request("Hi"), Json.tree(answer("openai")))
                            .message()
                            .text())
                    .isEqualTo("Paris.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"mistral", "ollama"})
    void shouldRefuseWhenAProviderTakesNoBatches(String provider) {
        try (ProviderCatalog catalog = ProviderCatalog.load(null, Map.of("MISTRAL_API_KEY", "k"))) {
            ModelException failure = catchThrowableOfType(ModelException.class, () -> catalog.batches(provider, null));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(failure.failure().message()).contains(provider + " takes no batches");
        }
    }
}
