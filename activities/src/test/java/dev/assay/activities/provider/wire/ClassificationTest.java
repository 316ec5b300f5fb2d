package dev.assay.activities.provider.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.RawServer;
import dev.assay.activities.provider.Requests;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClassificationTest {

    private static ModelException askOpenAi(StubProvider stub) {
        return ask(stub.url(), Requests.to("openai"));
    }

    private static ModelException ask(String url, Requests.Asked asked) {
        try (ProviderCatalog catalog = Requests.catalog(url)) {
            return catchThrowableOfType(ModelException.class, () -> asked.ask(catalog));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "302, PROVIDER_REJECTED",
        "400, PROVIDER_REJECTED",
        "402, PROVIDER_REJECTED",
        "404, PROVIDER_REJECTED",
        "405, PROVIDER_REJECTED",
        "422, PROVIDER_REJECTED",
        "401, PROVIDER_AUTH",
        "403, PROVIDER_AUTH",
        "413, CONTEXT_TOO_LONG",
        "429, PROVIDER_RATE_LIMITED",
        "408, PROVIDER_UNAVAILABLE",
        "409, PROVIDER_UNAVAILABLE",
        "425, PROVIDER_UNAVAILABLE",
        "500, PROVIDER_UNAVAILABLE",
        "502, PROVIDER_UNAVAILABLE",
        "503, PROVIDER_UNAVAILABLE",
        "504, PROVIDER_UNAVAILABLE",
        "529, PROVIDER_UNAVAILABLE",
    })
    void shouldClassifyWhenStatusIsNoSuccess(int status, ErrorCode code) throws IOException {
        try (StubProvider stub = StubProvider.answering(status, "{\"error\":{\"message\":\"the stub's words\"}}")) {
            for (String provider : new String[] {"openai", "anthropic"}) {
                ModelException failure = ask(stub.url(), Requests.to(provider));

                assertThat(failure.failure().code()).isEqualTo(code);
                assertThat(failure.failure().message())
                        .startsWith("Provider " + provider)
                        .contains("HTTP " + status)
                        .contains("the stub's words");
            }
            assertThat(stub.asked()).as("one request each, never a retry").hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"too much\"}}",
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"prompt is too long:"
                        + " 300000 tokens > 200000 maximum\"}}",
                "{\"error\":{\"message\":\"This model's maximum context length is 4096 tokens.\",\"code\":400}}",
                "[{\"error\":{\"code\":400,\"message\":\"The input token count (9) exceeds the maximum number of"
                        + " tokens allowed (8).\"}}]",
                "{\"object\":\"error\",\"message\":\"Prompt contains 40000 tokens, too large for model with 32768"
                        + " maximum context length\"}",
            })
    void shouldSayContextTooLongWhenProviderSaysSo(String body) throws IOException {
        try (StubProvider stub = StubProvider.answering(400, body)) {
            assertThat(askOpenAi(stub).failure().code()).isEqualTo(ErrorCode.CONTEXT_TOO_LONG);
        }
    }

    @Test
    void shouldNotRetryWhenAccountHasNoMoney() throws IOException {
        String body = "{\"error\":{\"message\":\"You exceeded your current"
                + " quota\",\"type\":\"insufficient_quota\",\"code\":\"insufficient_quota\"}}";
        try (StubProvider stub = StubProvider.answering(429, body, "Retry-After", "7")) {
            ModelException failure = askOpenAi(stub);

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_REJECTED);
            assertThat(failure.failure().message()).contains("no quota or money left");
            assertThat(failure.retryAfter()).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Retry-After, 7, 7000",
        "retry-after, 0.5, 500",
        "Retry-After-Ms, 250, 250",
        "Retry-After, 99999999999999, 3600000"
    })
    void shouldHonourRetryAfterWhenGivenAsNumber(String header, String value, long millis) throws IOException {
        try (StubProvider stub = StubProvider.answering(429, "{}", header, value)) {
            assertThat(askOpenAi(stub).retryAfter()).isEqualTo(Duration.ofMillis(millis));
        }
    }

    @Test
    void shouldHonourRetryAfterWhenGivenAsDate() throws IOException {
        String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(90));
        try (StubProvider stub = StubProvider.answering(503, "", "Retry-After", date)) {
            assertThat(askOpenAi(stub).retryAfter()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(91));
        }
    }

    @Test
    void shouldNotWaitWhenRetryAfterIsPast() throws IOException {
        try (StubProvider stub = StubProvider.answering(429, "{}", "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")) {
            assertThat(askOpenAi(stub).retryAfter()).isEqualTo(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "-5", ""})
    void shouldSayNothingWhenRetryAfterIsNoTime(String value) throws IOException {
        try (StubProvider stub = StubProvider.answering(429, "{}", "Retry-After", value)) {
            assertThat(askOpenAi(stub).retryAfter()).isNull();
        }
    }

    @Test
    void shouldReadGooglesRetryDelayWhenNoHeaderSays() throws IOException {
        String body =
                "[{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"quota, check your billing"
                    + " details\","
                    + "\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"34.4s\"}]}}]";
        try (StubProvider stub = StubProvider.answering(429, body)) {
            ModelException failure = askOpenAi(stub);

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_RATE_LIMITED);
            assertThat(failure.retryAfter()).isEqualTo(Duration.ofMillis(34_400));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "{}",
                "[]",
                "{\"choices\":[]}",
                "{\"choices\":[{}]}",
                "{\"content\":null}",
                "<html>It works!</html>",
                "{\"choices\":[{\"message\":",
                "{\"error\":{\"message\":\"wrong\"}}",
                "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":-1}}",
            })
    void shouldSayConnectionWhenSuccessIsNotWhatTheApiPromises(String body) throws IOException {
        try (StubProvider stub = StubProvider.answering(200, body)) {
            for (String provider : new String[] {"openai", "anthropic"}) {
                ModelException failure = ask(stub.url(), Requests.to(provider));

                assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
                assertThat(failure.failure().message()).contains("answered HTTP 200 with");
            }
        }
    }

    @Test
    void shouldSayConnectionWhenItIsDroppedBeforeAnAnswer() throws IOException {
        try (RawServer server = RawServer.dropping("")) {
            ModelException failure = ask(server.url(), Requests.to("openai"));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
            assertThat(failure.failure().message()).contains("dropped the connection");
        }
    }

    @Test
    void shouldSayConnectionWhenItIsDroppedInTheBody() throws IOException {
        try (RawServer server = RawServer.dropping("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":[")) {
            ModelException failure = ask(server.url(), Requests.to("openai"));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
            assertThat(failure.failure().message()).contains("dropped the connection");
        }
    }

    @Test
    void shouldSayConnectionWhenAnswerIsNotHttp() throws IOException {
        try (RawServer server = RawServer.dropping("SSH-2.0-OpenSSH_9.6\r\n\r\n")) {
            assertThat(ask(server.url(), Requests.to("openai")).failure().code())
                    .isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        }
    }

    @Test
    void shouldSayConnectionWhenNobodyListens() throws IOException {
        int port;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = closed.getLocalPort();
        }
        ModelException failure = ask("http://127.0.0.1:" + port, Requests.to("openai"));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.failure().message()).contains("cannot be connected to");
    }

    @Test
    void shouldSayConnectionWhenHostIsUnknown() {
        ModelException failure = ask("http://no-such-host.invalid", Requests.to("openai"));

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.failure().message()).contains("host cannot be found");
    }

    @Test
    void shouldSayConnectionWhenServerSpeaksNoTls() throws IOException {
        try (RawServer server = RawServer.holding("HTTP/1.1 400 Bad Request\r\n\r\n")) {
            ModelException failure = ask(server.url().replace("http:", "https:"), Requests.to("openai"));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
            assertThat(failure.failure().message()).contains("TLS");
        }
    }

    @Test
    void shouldNameTlsWhenClientSeesTheEndOfTheConnectionFirst() {
        IOException end =
                new IOException("HTTP/1.1 header parser received no bytes", new SSLException("certificate expired"));
        ModelException failure = new ProviderFailures("openai").ofLostConnection(end);

        assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_CONNECTION);
        assertThat(failure.failure().message()).isEqualTo("Provider openai has no usable TLS: certificate expired.");
    }

    @Test
    void shouldTimeOutWhenAnswerDoesNotCome() throws Exception {
        try (RawServer server = RawServer.holding("")) {
            long start = System.nanoTime();
            ModelException failure = ask(server.url(), Requests.to("openai", Duration.ofMillis(300)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(failure.failure().message()).isEqualTo("Provider openai did not answer within 0.3 s.");
            assertThat(Duration.ofNanos(server.awaitClose() - start)).isLessThan(Duration.ofSeconds(3));
        }
    }

    @Test
    void shouldTimeOutWhenBodyStalls() throws Exception {
        try (RawServer server = RawServer.holding("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"choices\":[")) {
            ModelException failure = ask(server.url(), Requests.to("openai", Duration.ofMillis(500)));

            assertThat(failure.failure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            server.awaitClose();
        }
    }

    @Test
    void shouldKeepExcerptShortAndOnOneLineWhenBodyIsLong() throws IOException {
        try (StubProvider stub = StubProvider.answering(500, "word \n\t".repeat(1_000))) {
            String message = askOpenAi(stub).failure().message();

            assertThat(message).doesNotContain("\n").hasSizeBetween(300, 400).endsWith("…");
        }
    }
}
