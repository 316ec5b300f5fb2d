package dev.assay.activities.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.provider.StubProvider;
import dev.assay.domain.json.Json;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.usage.Price;
import dev.assay.work.secret.SecretVariables;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The model proxy in campaigns on PostgreSQL, before a stand-in of a provider. The programs tell this test their variables and wait;
 * the test asks in their place.
 */
@Tag("slow")
final class ModelProxyTest {

    /** 0.001 US dollars a token. */
    private static final Price PRICE =
            new Price(new BigDecimal("1000"), new BigDecimal("1000"), new BigDecimal("1000"), new BigDecimal("1000"));

    private static final Map<String, ProviderInfo> PROVIDERS = Map.of(
            "stub", info("stub", ProviderType.OPENAI, Map.of("*", PRICE)),
            "busy", info("busy", ProviderType.OPENAI, Map.of("*", PRICE)),
            "claude", info("claude", ProviderType.ANTHROPIC, Map.of("*", PRICE)),
            "unpriced", info("unpriced", ProviderType.OPENAI, Map.of()),
            "filed", info("filed", ProviderType.OPENAI, Map.of()));

    /** The variable that holds the provider's key here: one that every process has, and that programs have a value of their own for. */
    private static final String KEY = System.getenv("HOME");

    private static final String ANSWER =
            "{\"choices\": [], \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 2, \"total_tokens\": 9}}";

    private static StubProvider server;
    private static Engine engine;
    private static SecretVariables variables;
    private static volatile StubProvider.Behaviour behaviour = exchange -> StubProvider.answer(exchange, 200, ANSWER);

    @TempDir
    private static Path data;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Path> waiting = new ArrayList<>();

    private static ProviderInfo info(String name, ProviderType type, Map<String, Price> prices) {
        return new ProviderInfo(name, type, true, null, 100, 100, prices);
    }

    @BeforeAll
    static void start() throws IOException {
        server = new StubProvider(exchange -> behaviour.answer(exchange));
        Path providers = Files.writeString(data.resolve("providers.yaml"), """
            providers:
              stub: {type: openai, baseUrl: "%1$s/v1", keyVariable: HOME, maxOutputTokens: 100, maxConcurrent: 100, prices: {"*": {input: 1000, output: 1000}}}
              claude: {type: anthropic, baseUrl: "%1$s", keyless: true, maxOutputTokens: 100, maxConcurrent: 100, prices: {"*": {input: 1000, output: 1000, cacheRead: 1000, cacheWrite: 1000}}}
              busy: {type: openai, baseUrl: "%1$s/v1", keyless: true, maxOutputTokens: 100, maxConcurrent: 100, prices: {"*": {input: 1000, output: 1000}}}
              unpriced: {type: openai, baseUrl: "%1$s/v1", keyless: true, maxOutputTokens: 100, maxConcurrent: 100}
              filed: {type: openai, baseUrl: "%1$s/v1", keyVariable: FILED_KEY, maxOutputTokens: 100, maxConcurrent: 100}
            """.formatted(server.url()));
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put(
                "FILED_KEY_FILE",
                Files.writeString(data.resolve("key"), "key-of-before\n").toString());
        variables = SecretVariables.of(environment);
        engine = new Engine(
                new ToolPolicy(
                        List.of(), List.of(), List.of(new ToolPolicy.AllowedAgent("sh", Set.of("PATH"), Set.of()))),
                Map.of("assay.data", data.toString()),
                worker -> worker.registerSingleton(ProviderCatalog.class, ProviderCatalog.load(providers, variables)));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        engine.close();
        server.close();
    }

    @BeforeEach
    void answer() {
        behaviour = exchange -> StubProvider.answer(exchange, 200, ANSWER);
    }

    @AfterEach
    void release() throws IOException {
        for (Path directory : waiting) {
            Files.writeString(directory.resolve("go"), "");
        }
        client.close();
    }

    /** A program that waits, and what it was told. */
    private record Program(String id, Path directory, URI base, String token) {

        HttpRequest.Builder ask(String path) {
            return HttpRequest.newBuilder(base.resolve(path))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json");
        }

        HttpRequest post(String path, String body) {
            return ask(path).POST(HttpRequest.BodyPublishers.ofString(body)).build();
        }
    }

    private Program begin(String id, String models, String more) throws IOException {
        Path directory = Files.createDirectory(data.resolve(id));
        engine.submit(id, """
            name: %1$s
            cases: [{id: a, prompt: x}]
            branches:
              - id: b
                command: [sh, -c, "env | grep -E '^(OPENAI|ANTHROPIC)_' >%2$s/new; mv %2$s/new %2$s/env; until [ -e %2$s/go ]; do sleep 0.05; done; echo done"]
                models: %3$s
            %4$s
            """.formatted(id, directory, models, more), PROVIDERS);
        waiting.add(directory);
        await().atMost(Engine.PATIENCE).until(() -> Files.exists(directory.resolve("env")));
        Properties told = new Properties();
        try (BufferedReader variables = Files.newBufferedReader(directory.resolve("env"))) {
            told.load(variables);
        }
        String kind = told.containsKey("OPENAI_API_KEY") ? "OPENAI" : "ANTHROPIC";
        return new Program(
                id,
                directory,
                URI.create(told.getProperty(kind + "_BASE_URL") + "/"),
                told.getProperty(kind + "_API_KEY"));
    }

    private Program begin(String id) throws IOException {
        return begin(id, "{provider: stub, allow: [small, large], maxTokens: 50}", "");
    }

    private Map<String, Object> end(Program program) throws IOException {
        Files.writeString(program.directory().resolve("go"), "");
        engine.awaitEnd(program.id());
        return engine.store
                .query(
                        "SELECT status, error_code, total_tokens, cost_usd::text AS cost, warnings::text AS warnings,"
                                + " model_turns, reported::text AS reported FROM outcome WHERE campaign_id = ?",
                        program.id())
                .getFirst();
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String chat(String more) {
        return "{\"model\": \"small\", \"messages\": [{\"role\": \"user\", \"content\": \"hi\"}]" + more + "}";
    }

    /** The rows of requests, each as state, cost and error; those of programs are left out. */
    private static List<String> rows(String id) {
        return engine
                .store
                .query(
                        "SELECT state || ' ' || coalesce(cost_usd::text, '-') || ' ' || coalesce(error_code, '-') AS"
                                + " said FROM ledger WHERE campaign_id = ? AND provider <> 'command' ORDER BY turn",
                        id)
                .stream()
                .map(row -> String.valueOf(row.get("said")))
                .toList();
    }

    private static void awaitRows(String id, String... rows) {
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(rows(id)).containsExactly(rows));
    }

    private static String reserved(String id, int turn) {
        return engine.store
                .value("SELECT reserved_usd::text FROM ledger WHERE campaign_id = '" + id
                        + "' AND provider <> 'command' AND turn = " + turn)
                .toString();
    }

    private static JsonNode error(HttpResponse<String> answer) {
        return Json.tree(answer.body()).path("error");
    }

    @Test
    void shouldPassAStreamOnPieceByPieceAndCountItsUsage() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        behaviour = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.getResponseHeaders().set("X-Secret", "s");
            exchange.getResponseHeaders().set("x-ratelimit-remaining-tokens", "5");
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            body.write("data: {\"choices\": [{\"delta\": {\"content\": \"He\"}}], \"usage\": null}\n\n"
                    .getBytes(StandardCharsets.UTF_8));
            body.flush();
            assertThat(read.await(20, TimeUnit.SECONDS))
                    .as("the first piece is there before the second is sent")
                    .isTrue();
            body.write(("data: {\"choices\": [], \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 2,"
                            + " \"total_tokens\": 9, \"prompt_tokens_details\": {\"cached_tokens\": 3}}}\n\n"
                            + "data: [DONE]\n\n")
                    .getBytes(StandardCharsets.UTF_8));
        };
        Program program = begin("streamed");
        HttpResponse<java.io.InputStream> answer = client.send(
                program.ask("chat/completions")
                        .header("X-Own", "o")
                        .header("OpenAI-Beta", "b")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                chat(", \"stream\": true, \"stream_options\": {\"a\": 1, \"include_usage\":"
                                        + " false}, \"seed\": 1.10")))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).contains("He");
        read.countDown();
        assertThat(lines.lines().toList()).contains("data: [DONE]");
        assertThat(answer.headers().map())
                .containsKeys("x-ratelimit-remaining-tokens")
                .doesNotContainKey("x-secret");

        StubProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/chat/completions");
        assertThat(asked.header("Authorization")).isEqualTo("Bearer " + KEY);
        assertThat(asked.header("OpenAI-Beta")).isEqualTo("b");
        assertThat(asked.header("X-Own")).isEmpty();
        assertThat(asked.text())
                .contains("\"seed\":1.10")
                .contains("\"max_tokens\":50")
                .contains("\"stream_options\":{\"a\":1,\"include_usage\":true}");
        Map<String, Object> outcome = end(program);
        assertThat(rows("streamed")).containsExactly("ANSWERED 0.009000 -");
        assertThat(outcome)
                .containsEntry("status", "COMPLETED")
                .containsEntry("total_tokens", 9L)
                .containsEntry("cost", "0.009000");
        JsonNode turn = Json.tree(String.valueOf(outcome.get("model_turns")));
        assertThat(turn.path("turn").intValue()).isOne();
        assertThat(turn.path("status").intValue()).isEqualTo(200);
        assertThat(turn.path("usage").path("cache_read").intValue()).isEqualTo(3);
        assertThat(turn.path("request").textValue()).contains("\"hi\"");
        assertThat(turn.path("answer").textValue()).contains("He", "[DONE]");
    }

    @Test
    void shouldReserveTheWorstCaseBeforeTheRequestIsSent() throws Exception {
        CompletableFuture<String> seen = new CompletableFuture<>();
        behaviour = exchange -> {
            seen.complete(String.join(",", rows("reserved")) + " " + reserved("reserved", 1));
            StubProvider.answer(exchange, 200, ANSWER);
        };
        Program program = begin("reserved");
        assertThat(send(program.post("chat/completions", chat(", \"max_tokens\": 500, \"n\": 3")))
                        .statusCode())
                .isEqualTo(200);

        int tokens = (server.asked().getLast().text().length() + 3) / 4 + 3 * 50;
        assertThat(seen.get()).isEqualTo("SENT - - 0." + tokens + "000");
        assertThat(server.asked().getLast().body().path("max_tokens").intValue())
                .isEqualTo(50);
        end(program);
        assertThat(rows("reserved")).containsExactly("ANSWERED 0.009000 -");
        assertThat(engine.store.query(
                        "SELECT provider, turn, attempt, reserved_usd::text AS reserved, cost_usd::text AS cost"
                                + " FROM ledger WHERE campaign_id = 'reserved' AND provider = 'command'"))
                .singleElement()
                .satisfies(row -> assertThat(row)
                        .containsEntry("reserved", "0")
                        .containsEntry("cost", "0")
                        .containsEntry("attempt", 1));
        assertThat(engine.store.value("SELECT attempts FROM cell WHERE campaign_id = 'reserved'"))
                .isEqualTo(1);
    }

    @Test
    void shouldPassA429OnAndCountNothing() throws Exception {
        behaviour = exchange ->
                StubProvider.answer(exchange, 429, "{\"error\": {\"message\": \"slow\"}}", "Retry-After", "7");
        // What it refuses is kept in mind for all calls to it.
        Program program = begin("limited", "{provider: busy, allow: [small]}", "");

        HttpResponse<String> answer = send(program.post("chat/completions", chat("")));

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("7");
        assertThat(error(answer).path("message").textValue()).isEqualTo("slow");
        awaitRows("limited", "FAILED 0 PROVIDER_RATE_LIMITED");
        behaviour = exchange -> StubProvider.answer(exchange, 200, ANSWER);
        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .isEqualTo(200);
        assertThat(end(program)).containsEntry("total_tokens", 9L).containsEntry("cost", "0.009000");
    }

    @Test
    void shouldBreakOffAndCountInFullWhenTheStreamBreaks() throws Exception {
        behaviour = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            // Less than that comes.
            exchange.sendResponseHeaders(200, 100_000);
            exchange.getResponseBody().write("data: {\"choices\": []}\n\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            exchange.close();
        };
        Program program = begin("broken");

        assertThatThrownBy(() -> send(program.post("chat/completions", chat(", \"stream\": true"))))
                .isInstanceOf(IOException.class);

        awaitRows("broken", "FAILED " + reserved("broken", 1) + " PROVIDER_CONNECTION");
        assertThat(end(program)).containsEntry("total_tokens", null).containsEntry("cost", null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/event-stream", "application/json"})
    void shouldBreakOffWhenTheAnswerIsEndless(String type) throws Exception {
        Semaphore written = new Semaphore(0);
        behaviour = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(200, 0);
            byte[] piece = "[".repeat(1024 * 1024).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 1_024; i++) {
                exchange.getResponseBody().write(piece);
                written.release();
            }
        };
        String id = "endless-" + type.substring(type.indexOf('/') + 1, type.indexOf('/') + 3);
        Program program = begin(id);

        assertThatThrownBy(() -> send(program.post("chat/completions", chat(""))))
                .isInstanceOf(IOException.class);

        awaitRows(id, "FAILED " + reserved(id, 1) + " PROVIDER_CONNECTION");
        assertThat(written.availablePermits()).isLessThan(64);
        end(program);
    }

    @Test
    void shouldHideTheKeyWhenTheProviderSaysItAgain() throws Exception {
        behaviour = exchange -> {
            String said = "{\"said\": \"" + exchange.getRequestHeaders().getFirst("Authorization") + "\"}";
            exchange.sendResponseHeaders(401, 0);
            for (byte one : said.getBytes(StandardCharsets.UTF_8)) {
                exchange.getResponseBody().write(one);
                exchange.getResponseBody().flush();
            }
        };
        Program program = begin("echoed");

        assertThat(send(program.post("chat/completions", chat(""))).body()).isEqualTo("{\"said\": \"Bearer [key]\"}");
        assertThat(end(program).get("model_turns").toString()).contains("[key]").doesNotContain("Bearer " + KEY);
    }

    @Test
    void shouldSendTheNewKeyWithTheNextRequestWhenItsFileChanges() throws Exception {
        behaviour = exchange -> {
            // While the request is under way.
            Files.writeString(data.resolve("key"), "key-of-now");
            variables.look();
            String said = exchange.getRequestHeaders().getFirst("Authorization");
            StubProvider.answer(exchange, 200, Json.write(Map.of("said", said)));
        };
        Program program = begin("filed", "{provider: filed, allow: [small]}", "");
        for (String key : List.of("key-of-before", "key-of-now")) {
            assertThat(send(program.post("chat/completions", chat(""))).body()).contains("Bearer [key]");
            assertThat(server.asked().getLast().header("Authorization")).isEqualTo("Bearer " + key);
        }
        assertThat(end(program).toString()).doesNotContain("key-of-");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        chat/completions | {"model": "huge"}                                | 403
        chat/completions | {"model": "small", "models": ["huge"]}           | 403
        chat/completions | {"model": "small", "Model": "huge"}              | 400
        chat/completions | {"model": "huge", "model": "small"}              | 400
        chat/completions | {"model": ["small"]}                             | 400
        chat/completions | {"model": "small", "stream": "true"}             | 400
        chat/completions | {"model": "small", "n": "9"}                     | 400
        chat/completions | {"model": "small"} {}                            | 400
        chat/completions | [                                                | 400
        files            | {"model": "small"}                               | 404
        chat/completions/../files | {"model": "small"}                      | 404
        """)
    void shouldRefuseAndAskNobodyWhenARequestIsNotAllowed(String path, String body, int status) throws Exception {
        int before = server.asked().size();
        Program program = refusing();

        HttpResponse<String> answer = send(program.post(path, body));

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(error(answer).path("message").isTextual()).isTrue();
        assertThat(server.asked()).hasSize(before);
        assertThat(rows(program.id())).isEmpty();
    }

    private static Program refusingProgram;

    /** A program that is shared by requests which leave nothing behind. */
    private Program refusing() throws IOException {
        if (refusingProgram == null) {
            refusingProgram = begin("refusing");
            waiting.clear();
        }
        return refusingProgram;
    }

    private static String raw(Program program, String request) throws IOException {
        try (Socket socket = new Socket(program.base().getHost(), program.base().getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        POST /v1/chat/completions | evil.example | TOKEN | Content-Length: 2         | 403
        POST /v1/chat/completions | HOST         | none  | Content-Length: 2         | 401
        POST /v1/chat/completions | HOST         | TOKEN | Content-Length: 33554433  | 413
        POST /v1/chat/completions | HOST         | TOKEN | Content-Length: -1        | 400
        POST /v1/chat/completions | HOST         | TOKEN | Transfer-Encoding: gzip   | 400
        POST /v1/chat/completions | HOST         | TOKEN | A b: c                    | 400
        CONNECT api.openai.com:443 | HOST        | TOKEN | A: b                      | 404
        POST http://evil.example/v1/chat/completions | HOST | TOKEN | A: b           | 404
        GET /v1/chat/completions  | HOST         | TOKEN | A: b                      | 404
        nonsense                  | HOST         | TOKEN | A: b                      | 400
        """)
    void shouldRefuseWhatIsNoRequestOfTheProgram(String line, String host, String token, String header, int status)
            throws Exception {
        int before = server.asked().size();
        Program program = refusing();

        String answer = raw(
                program,
                "%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n%s\r\nConnection: close\r\n\r\n{}"
                        .formatted(
                                line,
                                host.replace("HOST", program.base().getAuthority()),
                                token.replace("TOKEN", program.token()),
                                header));

        assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
        assertThat(server.asked()).hasSize(before);
    }

    @Test
    void shouldAnswerAProgramWhileStrangersHoldConnections() throws Exception {
        Program program = refusing();
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < 600; i++) {
                Socket socket =
                        new Socket(program.base().getHost(), program.base().getPort());
                socket.setSoTimeout(5_000);
                held.add(socket);
            }

            HttpResponse<String> answer = send(program.ask("models").GET().build());

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(held.getFirst().getInputStream().read())
                    .as("the one that has waited longest is closed")
                    .isNegative();
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void shouldListTheAllowedModelsAndAskNobody() throws Exception {
        int before = server.asked().size();

        HttpResponse<String> answer = send(refusing().ask("models").GET().build());

        assertThat(Json.tree(answer.body()).path("data").findValuesAsText("id")).containsExactly("small", "large");
        assertThat(server.asked()).hasSize(before);
    }

    @Test
    void shouldFollowNoRedirect() throws Exception {
        int before = server.asked().size();
        behaviour = exchange -> StubProvider.answer(exchange, 307, "", "Location", server.url() + "/elsewhere");
        Program program = begin("redirected");

        HttpResponse<String> answer = send(program.post("chat/completions", chat("")));

        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location")).isEmpty();
        assertThat(server.asked()).hasSize(before + 1);
        awaitRows("redirected", "FAILED 0 PROVIDER_REJECTED");
        end(program);
    }

    @Test
    void shouldTakeSixtyFourRequestsAtOnceAndCutThemOffWhenTheAttemptEnds() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        int before = server.asked().size();
        behaviour = exchange -> {
            var _ = never.await(60, TimeUnit.SECONDS);
        };
        Program program = begin("many");
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            asked.add(
                    client.sendAsync(program.post("chat/completions", chat("")), HttpResponse.BodyHandlers.ofString()));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> server.asked().size() >= before + 64);

        HttpResponse<String> refused = send(program.post("chat/completions", chat("")));

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        end(program);
        never.countDown();
        assertThat(asked)
                .allSatisfy(one ->
                        assertThat(one.get(5, TimeUnit.SECONDS).statusCode()).isEqualTo(502));
        assertThat(rows("many"))
                .hasSize(64)
                .allMatch(row -> row.equals("FAILED " + reserved("many", 1) + " CANCELLED"));
        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .as("the attempt has ended")
                .isEqualTo(401);
    }

    @Test
    void shouldCutOffWhatIsUnderWayWhenTheTimeRunsOut() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        behaviour = exchange -> {
            var _ = never.await(60, TimeUnit.SECONDS);
        };
        Program program = begin("late", "{provider: stub, allow: [small]}", "limits: {timeoutSeconds: 5}");

        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .isEqualTo(502);

        engine.awaitEnd("late");
        never.countDown();
        awaitRows("late", "FAILED " + reserved("late", 1) + " CANCELLED");
        assertThat(engine.store.value("SELECT status FROM outcome WHERE campaign_id = 'late'"))
                .isEqualTo("TIMED_OUT");
    }

    @Test
    void shouldRefuseWithoutRetryAfterWhenTheAttemptMayCostNoMore() throws Exception {
        Program program = begin("capped", "{provider: stub, allow: [small], maxTokens: 10}\n    maxCostUsd: 0.05", "");
        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .isEqualTo(200);

        HttpResponse<String> refused =
                send(program.post("chat/completions", chat(", \"user\": \"" + "x".repeat(200) + "\"")));

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
        assertThat(error(refused).path("code").textValue()).isEqualTo("insufficient_quota");
        assertThat(end(program))
                .containsEntry("status", "COMPLETED")
                .containsEntry("cost", "0.009000")
                .extractingByKey("warnings")
                .asString()
                .contains("maxCostUsd");
        assertThat(rows("capped")).hasSize(1);
    }

    @Test
    void shouldSkipTheTrialWhenTheBudgetDoesNotCoverARequest() throws Exception {
        Program program =
                begin("budgeted", "{provider: stub, allow: [small], maxTokens: 10}", "limits: {budgetUsd: 0.05}");
        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .isEqualTo(200);

        HttpResponse<String> refused =
                send(program.post("chat/completions", chat(", \"user\": \"" + "x".repeat(200) + "\"")));

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).isEmpty();
        assertThat(error(refused).path("type").textValue()).isEqualTo("insufficient_quota");
        assertThat(end(program))
                .containsEntry("status", "BUDGET_SKIPPED")
                .containsEntry("error_code", "BUDGET_EXCEEDED");
        assertThat(engine.store.value(
                        "SELECT spent_usd::text || ' ' || reserved_usd::text FROM budget WHERE campaign_id ="
                                + " 'budgeted'"))
                .isEqualTo("0.009000 0.000000");
    }

    @Test
    void shouldSpeakAnthropicsMessages() throws Exception {
        behaviour = exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody()
                    .write(("event: message_start\n"
                               + "data: {\"type\": \"message_start\", \"message\": {\"usage\": {\"input_tokens\": 5,"
                               + " \"cache_read_input_tokens\": 3, \"output_tokens\": 1}}}\n\n"
                               + "data: {\"type\": \"message_delta\", \"usage\": {\"output_tokens\": 4}}\n\n"
                               + "data: {\"type\": \"message_stop\"}\n\n")
                            .getBytes(StandardCharsets.UTF_8));
        };
        Program program = begin("anthropic", "{provider: claude, allow: [small]}", "");

        HttpResponse<String> answer = send(HttpRequest.newBuilder(program.base().resolve("/v1/messages?beta=true"))
                .header("x-api-key", program.token())
                .header("anthropic-version", "2023-06-01")
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\": \"small\", \"stream\": true}"))
                .build());

        assertThat(answer.statusCode()).isEqualTo(200);
        StubProvider.Asked asked = server.asked().getLast();
        assertThat(asked.path()).isEqualTo("/v1/messages");
        assertThat(asked.header("anthropic-version")).isEqualTo("2023-06-01");
        assertThat(asked.header("x-api-key")).isEmpty();
        assertThat(asked.body().path("max_tokens").intValue()).isEqualTo(100);
        HttpResponse<String> refused =
                send(HttpRequest.newBuilder(program.base().resolve("/v1/messages"))
                        .header("x-api-key", program.token())
                        .POST(HttpRequest.BodyPublishers.ofString("{\"model\": \"large\"}"))
                        .build());
        assertThat(Json.tree(refused.body()).path("type").textValue()).isEqualTo("error");
        assertThat(end(program)).containsEntry("total_tokens", 12L).containsEntry("cost", "0.012000");
    }

    @Test
    void shouldKeepUsageUnknownWhenNobodyReportsIt() throws Exception {
        behaviour = exchange -> StubProvider.answer(exchange, 200, "{\"choices\": []}");
        Program program = begin("silent");
        assertThat(send(program.post("chat/completions", chat(""))).statusCode())
                .isEqualTo(200);

        assertThat(end(program)).containsEntry("total_tokens", null).containsEntry("cost", null);
        assertThat(rows("silent")).containsExactly("ANSWERED " + reserved("silent", 1) + " -");
    }

    @Test
    void shouldAskModelsWithoutAPriceWhereNothingBoundsTheCost() throws Exception {
        Program program = begin("unpriced", "{provider: unpriced, allow: [small]}", "");
        assertThat(send(program.post("embeddings", "{\"model\": \"small\", \"input\": \"x\"}"))
                        .statusCode())
                .isEqualTo(200);

        assertThat(server.asked().getLast().body().has("max_tokens")).isFalse();
        assertThat(end(program)).containsEntry("total_tokens", 7L).containsEntry("cost", null);
        assertThat(rows("unpriced")).containsExactly("ANSWERED - -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CANCELLED", "PAUSED"})
    void shouldCutOffWhatIsUnderWayWhenTheCampaignStops(String state) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        behaviour = exchange -> {
            var _ = never.await(60, TimeUnit.SECONDS);
        };
        String id = "stopped-" + state.toLowerCase(java.util.Locale.ROOT);
        int before = server.asked().size();
        Program program = begin(id);
        CompletableFuture<HttpResponse<String>> asked =
                client.sendAsync(program.post("chat/completions", chat("")), HttpResponse.BodyHandlers.ofString());
        await().atMost(Duration.ofSeconds(20)).until(() -> server.asked().size() > before);

        engine.campaigns.transition(
                id,
                Set.of(dev.assay.domain.campaign.CampaignState.RUNNING),
                dev.assay.domain.campaign.CampaignState.valueOf(state),
                state.equals("CANCELLED"),
                null);

        assertThat(asked.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(502);
        never.countDown();
        awaitRows(id, "FAILED " + reserved(id, 1) + " CANCELLED");
    }

    /** The stand-in counts what it answers: tokens by the number in the prompt, errors for every seventh, streams for every second. */
    @Test
    void shouldCountWhatTheProviderCounts() throws Exception {
        AtomicLong counted = new AtomicLong();
        behaviour = exchange -> {
            JsonNode asked = server.asked(exchange).body();
            int number = asked.path("seed").intValue();
            if (number % 7 == 0) {
                StubProvider.answer(exchange, 500, "{}");
                return;
            }
            counted.addAndGet(number);
            String usage = "\"usage\": {\"prompt_tokens\": %d, \"completion_tokens\": 0}".formatted(number);
            if (asked.path("stream").booleanValue()) {
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody()
                        .write(("data: {" + usage + "}\n\ndata: [DONE]\n\n").getBytes(StandardCharsets.UTF_8));
            } else {
                StubProvider.answer(exchange, 200, "{" + usage + "}");
            }
        };
        Program program = begin("counted");
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            asked.add(client.sendAsync(
                    program.post("chat/completions", chat(", \"seed\": " + i + ", \"stream\": " + (i % 2 == 0))),
                    HttpResponse.BodyHandlers.ofString()));
        }
        for (CompletableFuture<HttpResponse<String>> one : asked) {
            assertThat(one.get(20, TimeUnit.SECONDS).statusCode()).isIn(200, 500);
        }

        Map<String, Object> outcome = end(program);

        BigDecimal cost = BigDecimal.valueOf(counted.get(), 3);
        assertThat(outcome).containsEntry("total_tokens", counted.get());
        assertThat(new BigDecimal(String.valueOf(outcome.get("cost")))).isEqualByComparingTo(cost);
        assertThat(new BigDecimal(String.valueOf(
                        engine.store.value("SELECT sum(cost_usd) FROM ledger WHERE campaign_id = 'counted'"))))
                .isEqualByComparingTo(cost);
        assertThat(engine.store.count("SELECT count(DISTINCT turn) FROM ledger WHERE campaign_id = 'counted'"
                        + " AND provider = 'stub'"))
                .isEqualTo(40);
        assertThat(String.valueOf(outcome.get("model_turns")).lines()).hasSize(40);
    }
}
