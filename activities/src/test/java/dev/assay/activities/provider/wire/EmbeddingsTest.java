package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddingsTest {

    private static final String ANSWER = """
        {"object": "list", "model": "served", "data": [
        {"object": "embedding", "index": 2, "embedding": [-3, -4]},
        {"object": "embedding", "index": 0, "embedding": [3, 4]},
        {"object": "embedding", "index": 1, "embedding": [0.04, 0.03]}],
        "usage": {"prompt_tokens": 7, "total_tokens": 7}}\
        """;

    private static ModelReply compare(StubProvider stub, String provider, Duration timeout)
            throws InterruptedException {
        try (ProviderCatalog catalog = Requests.catalog(stub.url())) {
            return catalog.client(Requests.choice(provider))
                    .ask(Requests.comparing("[\"answer\",\"one\",\"ot\\\"her\"]", timeout));
        }
    }

    private static ModelReply compare(StubProvider stub) throws InterruptedException {
        return compare(stub, "openai", Duration.ofSeconds(20));
    }

    private static ModelException failure(StubProvider stub) {
        return catchThrowableOfType(ModelException.class, () -> compare(stub));
    }

    @Test
    void shouldCompareTheFirstTextWithEachOtherInOneRequest() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, ANSWER)) {
            ModelReply reply = compare(stub);

            assertThat(stub.asked()).singleElement().satisfies(asked -> {
                assertThat(asked.path()).isEqualTo("/v1/embeddings");
                assertThat(asked.header("Authorization")).isEqualTo("Bearer " + Requests.KEY);
                assertThat(asked.body())
                        .isEqualTo(
                                Json.tree("{\"model\":\"some-model\",\"input\":[\"answer\",\"one\",\"ot\\\"her\"]}"));
            });
            assertThat(reply.message().text()).isEqualTo("[0.96,-1.0]");
            assertThat(reply.measured().usage()).isEqualTo(Usage.of(7, 0));
            assertThat(reply.provenance().servedModel()).isEqualTo("served");
            assertThat(reply.provenance().effective()).isEqualTo(Json.tree("{\"model\":\"some-model\"}"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"data\": [[1], [1], [1]]} | cannot be read",
                "[] | cannot be read",
                "null | cannot be read",
                "'' | cannot be read",
                "{} | are 0 in number, for 3 texts",
                "{\"data\": []} | are 0 in number, for 3 texts",
                "{\"data\": [{\"embedding\": [1]}, {\"embedding\": [1]}]} | are 2 in number, for 3 texts",
                "{\"data\": [{\"embedding\": [1]}, {\"embedding\": [1]}, null]} | do not belong to one text each",
                "{\"data\": [{\"embedding\": [1]}, {\"embedding\": [1]}, {}]} | do not belong to one text each",
                "{\"data\": [{\"index\": 0, \"embedding\": [1]}, {\"index\": 0, \"embedding\": [1]},"
                        + " {\"index\": 1, \"embedding\": [1]}]} | do not belong to one text each",
                "{\"data\": [{\"index\": 7, \"embedding\": [1]}, {\"embedding\": [1]}, {\"embedding\": [1]}]}"
                        + " | do not belong to one text each",
                "{\"data\": [{\"embedding\": [1, null]}, {\"embedding\": [1, 2]}, {\"embedding\": [1, 2]}]}"
                        + " | cannot be read",
                "{\"data\": [{\"embedding\": [1, 2]}, {\"embedding\": [1]}, {\"embedding\": [1, 2]}]}"
                        + " | have different lengths, are all zeros, or hold what is no number",
                "{\"data\": [{\"embedding\": [0, 0]}, {\"embedding\": [1, 2]}, {\"embedding\": [1, 2]}]}"
                        + " | have different lengths, are all zeros, or hold what is no number",
                "{\"data\": [{\"embedding\": [1, 2]}, {\"embedding\": [1, 1e999]}, {\"embedding\": [1, 2]}]}"
                        + " | have different lengths, are all zeros, or hold what is no number",
                "{\"data\": [{\"embedding\": [1, 2]}, {\"embedding\": [1, \"NaN\"]}, {\"embedding\": [1, 2]}]}"
                        + " | have different lengths, are all zeros, or hold what is no number",
                "{\"data\": [{\"embedding\": []}, {\"embedding\": []}, {\"embedding\": []}]}"
                        + " | have different lengths, are all zeros, or hold what is no number",
                "{\"data\": [{\"embedding\": \"AACAPw==\"}, {\"embedding\": []}, {\"embedding\": []}]}"
                        + " | cannot be read",
            })
    void shouldFailAndBeTriedAgainWhenTheAnswerCannotBeCompared(String body, String problem) throws Exception {
        try (StubProvider stub = StubProvider.answering(200, body)) {
            ModelException failure = failure(stub);

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
            assertThat(failure.failure().message())
                    .isEqualTo("Provider openai answered with embeddings that " + problem + ".");
        }
    }

    @Test
    void shouldReadNoFurtherWhenAnAnswerNeverEnds() throws Exception {
        byte[] numbers = "1,".repeat(500_000).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        try (StubProvider stub = new StubProvider(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody()
                    .write("{\"data\": [{\"embedding\": [".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            try {
                for (int i = 0; i < 1_000; i++) {
                    exchange.getResponseBody().write(numbers);
                }
            } catch (IOException e) {
                // The client has hung up, as it should.
            }
        })) {
            assertThat(failure(stub).failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @Test
    void shouldWaitAsLongAsTheProviderAsks() throws Exception {
        try (StubProvider stub = StubProvider.answering(429, "{}", "Retry-After", "17")) {
            ModelException failure = failure(stub);

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_RATE_LIMITED);
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(17));
        }
    }

    @Test
    void shouldEndWithItsTimeWhenThereIsNoAnswer() throws Exception {
        try (StubProvider stub = new StubProvider(exchange -> new CountDownLatch(1).await())) {
            ModelException failure =
                    catchThrowableOfType(ModelException.class, () -> compare(stub, "openai", Duration.ofMillis(200)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        }
    }

    @Test
    void shouldHideTheKeyWhenAnErrorRepeatsIt() throws Exception {
        try (StubProvider stub =
                StubProvider.answering(400, "{\"error\": {\"message\": \"bad key " + Requests.KEY + "\"}}")) {
            assertThat(failure(stub).failure().message()).contains("bad key [key]");
        }
    }

    @Test
    void shouldSayThatAProviderHasNoEmbeddings() throws Exception {
        try (StubProvider stub = StubProvider.answering(200, ANSWER)) {
            ModelException failure = catchThrowableOfType(
                    ModelException.class, () -> compare(stub, "anthropic", Duration.ofSeconds(20)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(stub.asked()).isEmpty();
        }
    }
}
