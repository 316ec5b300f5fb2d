package dev.assay.cli.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.assay.cli.testing.Api;
import dev.assay.standalone.server.Endpoints;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of the JVM and of PostgreSQL while loops call tools: they go on from their last turn, and no tool runs twice. At the same
 * time answers of a system under test are compared by embeddings: nothing that is on record is asked for again.
 */
@Tag("slow")
class ToolCrashTest {

    private static final int IN_FLIGHT = 10;
    private static final int CELLS = 60;
    private static final int TOOL_TURNS = 3;
    private static final long IN_FLIGHT_BOUND = KilledServer.inFlightBound(IN_FLIGHT);

    private static final String EMBEDDINGS =
            "{\"data\": [{\"embedding\": [1, 2]}, {\"embedding\": [1, 2]}], \"usage\": {\"prompt_tokens\": 2}}";

    @TempDir
    Path temporary;

    private final AtomicInteger posted = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger embedded = new AtomicInteger();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer tools;
    private KilledServer assay;

    @BeforeEach
    void prepare() throws Exception {
        tools = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        tools.setExecutor(threads);
        tools.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().getPath();
                boolean embeds = path.equals("/v1/embeddings");
                (embeds ? embedded : path.equals("/ask") ? answered : posted).incrementAndGet();
                Thread.sleep(50);
                byte[] answer = (embeds ? EMBEDDINGS : "done").getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", embeds ? "application/json" : "text/plain");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        tools.start();
        Path data = Files.createDirectory(temporary.resolve("data"));
        Files.writeString(data.resolve("tools.yaml"), "addresses: [{url: \"" + url() + "\"}]\n");
        Files.writeString(
                data.resolve("providers.yaml"),
                "providers: {stub: {type: openai, baseUrl: \"" + url() + "/v1\", keyless: true}}\n");
        assay = new KilledServer(data);
    }

    @AfterEach
    void stop() throws Exception {
        assay.close();
        tools.stop(0);
        threads.shutdownNow();
    }

    private String url() {
        return "http://127.0.0.1:" + tools.getAddress().getPort();
    }

    private static String cases() {
        return IntStream.range(0, CELLS)
                .mapToObj(i -> "  - {id: case-" + i + ", prompt: Hello}\n")
                .collect(Collectors.joining());
    }

    private String campaign() {
        String turn = "{toolCalls: [{name: send}]}, ";
        return """
            name: tools
            cases:
            %sbranches:
              - id: b
                kind: scripted
                tools: [{type: http, name: send, description: Sends., method: POST, url: "%s/send"}]
                script: {delayMs: 50, answers: [[%s"{result}"]]}
            limits: {maxConcurrent: %d}
            """.formatted(cases(), url(), turn.repeat(TOOL_TURNS), IN_FLIGHT);
    }

    private String system() {
        return """
            name: system
            cases:
            %schecks: [{type: similar, value: done}]
            grader: {provider: stub, model: e}
            branches:
              - {id: b, url: "%s/ask", body: {q: "{{prompt}}"}}
            limits: {maxConcurrent: %d}
            """.formatted(cases(), url(), IN_FLIGHT);
    }

    @Test
    void shouldNotAskOrRunAgainWhatIsOnRecordWhenEverythingIsKilled() throws Exception {
        Process first = assay.up();
        Endpoints endpoints = assay.api().await();
        String id = assay.api().submit(campaign());
        String systems = assay.api().submit(system());
        await().atMost(Api.PATIENCE)
                .until(() ->
                        assay.api().cellsDone(id) >= CELLS / 4 && assay.api().cellsDone(systems) >= 5);

        assay.kill(first, endpoints);
        assay.finishOnAnotherServer(id, systems);
        assertEachAnswerAndGradePaidOnce(systems);
        assay.inspect(id, tables -> {
            assertThat(tables.count("SELECT count(*) FROM outcome WHERE status = 'COMPLETED' AND campaign_id = ?"))
                    .isEqualTo(CELLS);
            assertThat(tables.count("SELECT count(*) FROM ledger WHERE campaign_id = ?") - CELLS * (TOOL_TURNS + 1))
                    .as("requests that were in flight; a loop that started over would add all its turns")
                    .isBetween(0L, IN_FLIGHT_BOUND);
            long unknown = tables.count("""
                SELECT count(*) FROM outcome o, jsonb_array_elements(o.messages) AS m
                WHERE m ->> 'role' = 'tool' AND m ->> 'content' LIKE '%It may have run or not%' AND o.campaign_id = ?\
                """);
            assertThat(unknown).as("calls that were under way").isLessThanOrEqualTo(IN_FLIGHT_BOUND);
            assertThat((long) posted.get())
                    .as("each call ran once, or was under way when it was killed")
                    .isBetween(CELLS * TOOL_TURNS - unknown, (long) CELLS * TOOL_TURNS);
            assertThat(tables.count("SELECT count(*) FROM turn WHERE campaign_id = ?"))
                    .isZero();
        });
    }

    private void assertEachAnswerAndGradePaidOnce(String id) throws Exception {
        assay.inspect(id, tables -> {
            assertThat(tables.count(
                            "SELECT count(*) FROM outcome WHERE passed AND response = 'done' AND campaign_id = ?"))
                    .isEqualTo(CELLS);
            assertThat(tables.count("SELECT count(*) FROM judge_call WHERE reply = '[1.0]' AND campaign_id = ?"))
                    .isEqualTo(CELLS);
            assertThat(answered.get() - CELLS)
                    .as("answers that were being given when the server was killed")
                    .isBetween(0, (int) IN_FLIGHT_BOUND);
            assertThat(embedded.get() - CELLS)
                    .as("embeddings that were being computed when the server was killed")
                    .isBetween(0, (int) IN_FLIGHT_BOUND);
        });
    }
}
