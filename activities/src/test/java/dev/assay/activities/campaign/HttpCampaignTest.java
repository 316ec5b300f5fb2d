package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Campaigns whose branches are systems under test behind an address, on PostgreSQL. */
final class HttpCampaignTest {

    private static final String ANSWER =
            "{\"choices\": [{\"text\": \"Paris\"}], \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 2}}";

    /** What the server does. */
    private interface Reaction {
        void to(HttpExchange exchange, String body) throws IOException;
    }

    private static HttpServer server;
    private static Engine engine;
    private static volatile Reaction reaction = (exchange, body) -> {};
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    @BeforeAll
    static void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                REQUESTS.incrementAndGet();
                reaction.to(exchange, new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            }
        });
        server.start();
        engine = new Engine(
                new ToolPolicy(List.of(new ToolPolicy.Address(url("/v1"), Map.of("key", "TOOL_KEY"), 2)), List.of()));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.stop(0);
    }

    @BeforeEach
    void reset() {
        REQUESTS.set(0);
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        answer(exchange, status, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void submit(String id, String fields, String more) {
        engine.submit(id, """
            name: %s
            cases: [{id: a, prompt: Say hi}]
            branches: [{id: b, url: "%s", %s}]
            %s
            """.formatted(id, url("/v1/ask"), fields, more), Map.of());
    }

    private static Map<String, Object> outcome(String id) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> engine.store.count("SELECT count(*) FROM outcome WHERE campaign_id = ?", id) > 0);
        return engine.store
                .query("SELECT status, passed, response, error_code, error_message, attempts, cost_usd, total_tokens,"
                        + " effective ->> 'method' AS method, effective ->> 'url' AS url"
                        + " FROM outcome WHERE campaign_id = '" + id + "'")
                .getFirst();
    }

    @Test
    void shouldFillThePlacesAndFindAnswerAndUsageWhenTheSystemAnswers() {
        StringBuilder seen = new StringBuilder();
        reaction = (exchange, body) -> {
            seen.append(exchange.getRequestURI()).append(' ').append(body);
            seen.append(' ').append(exchange.getRequestHeaders().getFirst("X-Key"));
            answer(exchange, 200, ANSWER);
        };
        engine.submit("filled", """
            name: filled
            cases:
              - id: a
                context: [{role: user, content: Hello}, {role: assistant, content: Hi}]
                prompt: Say "hi"
                vars: {n: 3, city: "a/..b {{prompt}}"}
            branches:
              - id: b
                url: "%s/{{vars.city}}"
                systemPrompt: Be brief
                headers: {X-Key: "${key}"}
                body: {q: "{{prompt}}", m: "{{messages}}", n: "{{vars.n}}", none: "<{{vars.none}}>"}
                response: $.choices[0].text
                usage: $.usage
            """.formatted(url("/v1")), Map.of());

        assertThat(outcome("filled"))
                .containsEntry("status", "COMPLETED")
                .containsEntry("response", "Paris")
                .containsEntry("total_tokens", 9L)
                .containsEntry("method", "POST")
                .containsEntry("url", url("/v1/a%2F..b%20%7B%7Bprompt%7D%7D"));
        assertThat(seen.toString())
                .startsWith("/v1/a%2F..b%20%7B%7Bprompt%7D%7D {")
                .endsWith("} s3cret");
        assertThat(Json.tree(seen.substring(seen.indexOf(" ") + 1, seen.lastIndexOf(" "))))
                .isEqualTo(Json.tree("{\"q\":\"Say \\\"hi\\\"\",\"m\":["
                        + "{\"role\":\"system\",\"content\":\"Be brief\"},{\"role\":\"user\",\"content\":\"Hello\"},"
                        + "{\"role\":\"assistant\",\"content\":\"Hi\"},"
                        + "{\"role\":\"user\",\"content\":\"Say \\\"hi\\\"\"}],\"n\":3,\"none\":\"<>\"}"));
    }

    @Test
    void shouldAskNobodyWhenWhatFillsAPlaceWouldLeaveThePath() {
        reaction = (exchange, body) -> answer(exchange, 200, ANSWER);
        engine.submit("leaving", """
            name: leaving
            cases: [{id: a, prompt: Hi, vars: {city: "a/../../admin"}}]
            branches: [{id: b, url: "%s/{{vars.city}}"}]
            """.formatted(url("/v1")), Map.of());

        assertThat(outcome("leaving"))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "INVALID_INPUT")
                .containsEntry(
                        "error_message",
                        "With these arguments the address must not have . or .. as a path segment, however it is"
                                + " encoded.")
                .containsEntry("url", null);
    }

    @Test
    void shouldHideTheSecretWhenTheSystemSaysItAgain() {
        reaction = (exchange, body) ->
                answer(exchange, 200, "you are " + exchange.getRequestHeaders().getFirst("X-Key"));
        submit("echoed", "headers: {X-Key: \"${key}\"}", "");
        assertThat(outcome("echoed")).containsEntry("response", "you are [secret]");

        reaction = (exchange, body) ->
                answer(exchange, 400, "no: " + exchange.getRequestHeaders().getFirst("X-Key"));
        submit("refused", "headers: {X-Key: \"${key}\"}", "");
        assertThat(outcome("refused"))
                .containsEntry("error_code", "PROVIDER_REJECTED")
                .containsEntry("attempts", 1)
                .extracting("error_message")
                .asString()
                .endsWith("(HTTP 400): no: [secret]");
    }

    @ParameterizedTest
    @CsvSource({"429, 0.05, 1", "503, 0.05, 2", "500, '', 2"})
    void shouldTryAgainWhenTheSystemIsBusy(int status, String retryAfter, int attempts) {
        reaction = (exchange, body) -> {
            if (REQUESTS.get() == 1) {
                if (!retryAfter.isEmpty()) {
                    exchange.getResponseHeaders().set("Retry-After", retryAfter);
                }
                answer(exchange, status, "");
            } else {
                answer(exchange, 200, "at last");
            }
        };
        submit("busy-" + status, "body: x", "");

        assertThat(outcome("busy-" + status))
                .containsEntry("response", "at last")
                .containsEntry("attempts", attempts);
    }

    @ParameterizedTest
    @CsvSource({
        "301, PROVIDER_REJECTED",
        "400, PROVIDER_REJECTED",
        "401, PROVIDER_AUTH",
        "404, PROVIDER_REJECTED",
        "409, PROVIDER_REJECTED"
    })
    void shouldEndAtOnceWhenTheSystemRefusesOrRedirects(int status, String code) {
        reaction = (exchange, body) -> {
            exchange.getResponseHeaders().set("Location", url("/v1/other"));
            answer(exchange, status, "");
        };
        submit("final-" + status, "body: x", "");

        assertThat(outcome("final-" + status))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", code)
                .containsEntry("attempts", 1);
        assertThat(REQUESTS).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        html,    '<html>busy</html>',     'response: $.a', no JSON
        path,    '{"b": 1}',              'response: $.a', finds nothing
        nothing, '',                      'body: x',       no body
        broken,  'Ã',                     'body: x',       no text
        charset, 'a',                     'body: x',       charset is not known
        endless, 'a',                     'body: x',       exceeds capacity
        """)
    void shouldBeATypedFailureWhenTheAnswerIsNone(String id, String said, String fields, String message) {
        reaction = (exchange, body) -> {
            if (id.equals("charset")) {
                exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=klingon");
            }
            if (id.equals("endless")) {
                endless(exchange);
            } else {
                answer(exchange, 200, said.getBytes(StandardCharsets.ISO_8859_1));
            }
        };
        submit(id, fields, "limits: {maxAttempts: 1}");

        assertThat(outcome(id))
                .containsEntry("status", "MODEL_ERROR")
                .containsEntry("error_code", "ANSWER_UNUSABLE")
                .extracting("error_message")
                .asString()
                .contains(message);
    }

    private static void endless(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        byte[] much = new byte[64 * 1024];
        try (OutputStream out = exchange.getResponseBody()) {
            for (long sent = 0; sent < 1L << 30; sent += much.length) {
                out.write(much);
            }
        }
    }

    @Test
    void shouldBeHarmlessWhenTheAnswerHoldsWhatCannotBeStored() {
        reaction = (exchange, body) -> answer(exchange, 200, "{\"a\": \"x\\u0000y\\ud800z\"}");
        submit("nul", "response: $.a", "");

        assertThat(outcome("nul")).containsEntry("response", "x\uFFFDy\uFFFDz");
    }

    @Test
    void shouldTimeOutWhenTheAnswerDrips() {
        reaction = (exchange, body) -> {
            exchange.sendResponseHeaders(200, 1_000);
            for (int i = 0; i < 1_000; i++) {
                exchange.getResponseBody().write('a');
                exchange.getResponseBody().flush();
                java.util.concurrent.locks.LockSupport.parkNanos(
                        Duration.ofMillis(50).toNanos());
            }
        };
        submit("drip", "body: x, maxCostUsd: 0.25", "limits: {timeoutSeconds: 1, budgetUsd: 1}");

        assertThat(outcome("drip")).containsEntry("status", "TIMED_OUT").containsEntry("error_code", "CELL_TIMED_OUT");
        assertThat(engine.store.query("SELECT cost_usd FROM ledger WHERE campaign_id = 'drip'"))
                .as("It may have reached the system, and counts in full")
                .allSatisfy(row -> assertThat(row.get("cost_usd").toString()).startsWith("0.25"));
    }

    @Test
    void shouldKeepToTheBudgetAndToTheHostsPermitsWhenManyAreAsked() {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        reaction = (exchange, body) -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(50).toNanos());
            inFlight.decrementAndGet();
            answer(exchange, 200, "{\"cost\": 0.1}");
        };
        submit(
                "paid",
                "body: x, usage: {costUsd: $.cost}, maxCostUsd: 0.2",
                "trials: 12\nlimits: {budgetUsd: 1, maxConcurrent: 12}");

        engine.awaitEnd("paid");
        assertThat(REQUESTS.get()).isBetween(8, 10);
        assertThat(most).hasValueLessThanOrEqualTo(2);
        assertThat(engine.store.count(
                        "SELECT count(*) FROM outcome WHERE campaign_id = 'paid' AND status = 'BUDGET_SKIPPED'"))
                .isEqualTo(12 - REQUESTS.get());
    }

    @Test
    void shouldAskNobodyWhenTheWorkerDoesNotAllowTheAddress() {
        engine.submit("foreign", """
            name: foreign
            cases: [{id: a, prompt: x}]
            branches: [{id: b, url: "%s"}]
            """.formatted(url("/v2")), Map.of());

        assertThat(outcome("foreign"))
                .containsEntry("error_code", "TOOL_NOT_ALLOWED")
                .containsEntry("attempts", 1);
        assertThat(REQUESTS).hasValue(0);
    }

    @Test
    void shouldEndTheRequestWhenTheCampaignIsCancelled() {
        reaction = (exchange, body) -> java.util.concurrent.locks.LockSupport.parkNanos(
                Duration.ofSeconds(30).toNanos());
        submit("cancelled", "body: x", "");
        await().atMost(Duration.ofSeconds(20)).until(() -> REQUESTS.get() == 1);

        engine.campaigns.transition("cancelled", Set.of(CampaignState.RUNNING), CampaignState.CANCELLED, true, null);

        assertThat(outcome("cancelled")).containsEntry("status", "CANCELLED");
    }
}
