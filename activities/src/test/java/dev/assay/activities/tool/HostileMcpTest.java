package dev.assay.activities.tool;

import static dev.assay.activities.tool.ScriptedMcp.CALL;
import static dev.assay.activities.tool.ScriptedMcp.isCall;
import static dev.assay.activities.tool.ScriptedMcp.process;
import static dev.assay.activities.tool.ScriptedMcp.send;
import static dev.assay.activities.tool.ScriptedMcp.streaming;
import static dev.assay.activities.tool.ScriptedMcp.toolboxes;
import static dev.assay.activities.tool.ScriptedMcp.toolset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.assay.activities.check.StoppedComputing;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.TaskKind;
import dev.assay.work.compute.pool.ComputePool;
import dev.assay.work.compute.pool.ComputeSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an MCP server does, a call of its tools ends in bounded time and memory, and says how. */
@Tag("slow")
@Timeout(60)
class HostileMcpTest {

    private static final Duration IN_TIME = CALL.plus(RunnableTool.GRACE).plusSeconds(10);
    private static final long MEBIBYTE = 1024 * 1024;
    private static final String ASKS_TOO_MUCH = "The MCP server asks more than 16 things before it has answers";

    /** More than may be open at once. */
    private static final int QUESTIONS = 40;

    /** Opens a session and greets so many times; gives the last answer. */
    private static String greeting(Tool.McpServer server, int times) throws InterruptedException {
        try (Toolboxes toolboxes = toolboxes(server, Computing.HERE);
                Toolbox toolbox = toolboxes.open(toolset(server), Instant::now, "campaign")) {
            String said = "";
            for (int i = 0; i < times; i++) {
                said = greeting(toolbox);
            }
            return said;
        }
    }

    private static String greeting(Toolbox toolbox) throws InterruptedException {
        return toolbox.find("greet").orElseThrow().run(Json.tree("{\"name\":\"Ada\"}"), _ -> {});
    }

    private static void assertFails(Tool.McpServer server, String message) {
        assertThatThrownBy(() -> greeting(server, 1))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining(message);
    }

    private static void assertUnavailable(Tool.McpServer server, Computing computing, String message) {
        assertThatThrownBy(() -> {
                    try (Toolboxes toolboxes = toolboxes(server, computing)) {
                        toolboxes
                                .open(toolset(server), Instant::now, "campaign")
                                .close();
                    }
                })
                .isInstanceOfSatisfying(
                        ToolboxException.class,
                        refused -> assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_UNAVAILABLE))
                .hasMessageContaining(message);
    }

    @Test
    void shouldFindTheAnswerWhenAStreamHoldsCommentsOtherEventsAndSeveralLines() throws Exception {
        ScriptedMcp.Behaviour stream = streaming((out, answer) -> {
            out.write(": a comment\n\nevent: message\nid: 7\nretry: 10\r\n");
            out.write("data: " + HostileMcp.notification("first") + "\n\n");
            out.write("data:\n\n\n");
            int middle = answer.indexOf(',') + 1;
            out.write(
                    "data: " + answer.substring(0, middle) + "\n: between\ndata:" + answer.substring(middle) + "\n\n");
        });
        try (ScriptedMcp server = new ScriptedMcp(stream)) {
            assertThat(greeting(server.tools(), 2)).isEqualTo("Hello Ada");
        }
    }

    @Test
    void shouldBreakOffAStreamThatGoesOnAfterTheAnswer() throws Exception {
        AtomicLong written = new AtomicLong();
        CountDownLatch broken = new CountDownLatch(1);
        ScriptedMcp.Behaviour stream = streaming((out, answer) -> {
            out.write(event(answer));
            try {
                endless(out, written);
            } catch (IOException e) {
                broken.countDown();
                throw e;
            }
        });
        try (ScriptedMcp server = new ScriptedMcp(stream);
                Toolboxes toolboxes = toolboxes(server.tools(), Computing.HERE);
                Toolbox toolbox = toolboxes.open(toolset(server.tools()), Instant::now, "campaign")) {
            assertThat(greeting(toolbox)).isEqualTo("Hello Ada");
            assertThat(broken.await(IN_TIME.toSeconds(), TimeUnit.SECONDS))
                    .as("while the session goes on")
                    .isTrue();
        }
        assertThat(written.get()).isLessThan(16 * MEBIBYTE);
    }

    private static void endless(ScriptedMcp.Text out, AtomicLong written) throws IOException {
        String event = "data: " + HostileMcp.notification("x".repeat(10_000)) + "\n\n";
        while (written.get() < 200 * MEBIBYTE) {
            out.write(event);
            written.addAndGet(event.length());
        }
    }

    @Test
    void shouldFailTheCallWhenAStreamNeverEndsAndHoldsNoAnswer() throws Exception {
        AtomicLong written = new AtomicLong();
        try (ScriptedMcp server = new ScriptedMcp(streaming((out, answer) -> endless(out, written)))) {
            assertFails(server.tools(), "The MCP server");
        }
        assertThat(written.get()).isLessThan(80 * MEBIBYTE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"data: ", ": ", ""})
    void shouldFailTheCallWhenALineOfAStreamHasTenMebibytes(String beginning) throws Exception {
        ScriptedMcp.Behaviour stream = streaming((out, answer) -> {
            out.write(beginning);
            String part = "x".repeat((int) MEBIBYTE);
            for (int i = 0; i < 10; i++) {
                out.write(part);
            }
            out.write("\n\ndata: " + answer + "\n\n");
        });
        try (ScriptedMcp server = new ScriptedMcp(stream)) {
            assertFails(server.tools(), "longer than 1 MiB");
        }
    }

    @Test
    void shouldReadALineOfAlmostAMebibyteInMilliseconds() throws Exception {
        String comment = ": " + "x".repeat((int) MEBIBYTE - 100) + "\r\n";
        ScriptedMcp.Behaviour stream = streaming((out, answer) -> {
            for (int i = 0; i < 20; i++) {
                out.write(comment);
            }
            out.write("data: " + answer + "\r\r");
        });
        try (ScriptedMcp server = new ScriptedMcp(stream)) {
            assertThat(greeting(server.tools(), 1)).isEqualTo("Hello Ada");
        }
    }

    @Test
    void shouldFailTheCallWhenTheLinesOfAnEventHaveTenMebibytes() throws Exception {
        ScriptedMcp.Behaviour stream = streaming((out, answer) -> {
            String line = "data: " + " ".repeat(100_000) + "\n";
            for (int i = 0; i < 100; i++) {
                out.write(line);
            }
            out.write("data: " + answer + "\n\n");
        });
        try (ScriptedMcp server = new ScriptedMcp(stream)) {
            assertFails(server.tools(), "longer than 1 MiB");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"data: no json\n\n", "data: [[[[\n\n", "data: 1\n\n", ": nothing\n\n", ""})
    void shouldFailTheCallWhenAStreamHoldsNoAnswer(String text) throws Exception {
        try (ScriptedMcp server = new ScriptedMcp(streaming((out, answer) -> out.write(text)))) {
            assertFails(server.tools(), text.matches("(?s)data: [^1].*") ? "is no JSON" : "ended without an answer");
        }
    }

    @Test
    void shouldFailTheCallAndOpenFewConnectionsWhenAServerAsksWithoutEnd() throws Exception {
        AtomicInteger open = new AtomicInteger();
        ConcurrentLinkedQueue<Integer> seen = new ConcurrentLinkedQueue<>();
        ScriptedMcp.Behaviour calls = streaming((out, answer) -> {
            for (int i = 0; i < 20_000; i++) {
                out.write(event(HostileMcp.ping(i)));
            }
            out.write(event(answer));
        });
        ScriptedMcp.Behaviour all = (exchange, message) -> {
            seen.add(open.incrementAndGet());
            try {
                return calls.answers(exchange, message);
            } finally {
                open.decrementAndGet();
            }
        };
        try (ScriptedMcp server = new ScriptedMcp(all)) {
            assertFails(server.tools(), ASKS_TOO_MUCH);
        }
        assertThat(seen).as("requests at once").allMatch(atOnce -> atOnce < 40);
    }

    @Test
    void shouldFailTheCallWhenAProcessAsksWithoutEndAndReadsNoAnswer() {
        assertFails(process("asks"), ASKS_TOO_MUCH);
    }

    @Test
    void shouldAnswerAllQuestionsWhenAServerWaitsForEachAnswer() throws Exception {
        Semaphore answered = new Semaphore(0);
        ScriptedMcp.Behaviour calls = streaming((out, answer) -> {
            for (int i = 0; i < QUESTIONS; i++) {
                out.write(event("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}"));
                out.write(event(HostileMcp.ping(i)));
                answered.acquireUninterruptibly();
            }
            out.write(event(answer));
        });
        ScriptedMcp.Behaviour all = (exchange, message) -> {
            if (message.has("result")) {
                answered.release();
            }
            return calls.answers(exchange, message);
        };
        try (ScriptedMcp server = new ScriptedMcp(all)) {
            assertThat(greeting(server.tools(), 1)).isEqualTo("Hello Ada");
        }
        assertThat(greeting(process("asks-slowly"), 1)).isEqualTo("Hello Ada");
    }

    private static String event(String message) {
        return "data: " + message + "\n\n";
    }

    /** Servers whose answer to a call never comes. */
    @Test
    void shouldFailTheCallInTimeWhenNoAnswerComes() throws Exception {
        ScriptedMcp.Behaviour drip = streaming((out, answer) -> {
            for (int i = 0; i < 600; i++) {
                out.write(": still here\n");
                pause();
            }
        });
        try (ScriptedMcp dripping = new ScriptedMcp(drip);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Throwable>> ends = Stream.of(process("wrong-id"), process("half"), dripping.tools())
                    .map(server -> callers.submit(() -> failure(server)))
                    .toList();
            for (Future<Throwable> end : ends) {
                assertThat(end.get(IN_TIME.toSeconds(), TimeUnit.SECONDS))
                        .isInstanceOf(ToolException.class)
                        .hasMessageContaining("The MCP server did not answer in time");
            }
        }
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .as("processes that outlive the tools of their worker")
                .isEmpty();
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static @Nullable Throwable failure(Tool.McpServer server) {
        try {
            greeting(server, 1);
            return null;
        } catch (Exception e) {
            return e;
        }
    }

    @Test
    void shouldFailTheCallWhenAProcessWritesWithoutEnd() {
        assertFails(process("endless"), "The MCP server");
    }

    @Test
    void shouldFailTheCallAtOnceWhenTheProcessDiesInTheMiddle() {
        assertFails(process("dies"), "The MCP server has ended");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stderr", "twice"})
    void shouldAnswerWhenAProcessWritesToItsErrorsOrAnswersTwice(String mode) throws Exception {
        assertThat(greeting(process(mode), 3)).isEqualTo("Hello Ada");
    }

    @Test
    void shouldKeepNoProcessThatDoesNotEndWhenItIsAsked() throws Exception {
        // Its second page is asked for by a cursor that fills the pipe, which it does not read.
        assertUnavailable(process("deaf"), Computing.HERE, "does not answer");
        await("the end of the process")
                .atMost(Duration.ofSeconds(20))
                .until(() -> ProcessHandle.current().descendants().noneMatch(HostileMcpTest::isDeaf));
    }

    private static boolean isDeaf(ProcessHandle process) {
        return process.info().commandLine().orElse("").endsWith("HostileMcp deaf");
    }

    @Test
    void shouldBeUnavailableWhenAServerListsWithoutEndOrTooMuch() throws Exception {
        assertUnavailable(process("pages"), Computing.HERE, "in more than 100 pages");
        assertUnavailable(process("1001"), Computing.HERE, "more than 1000 tools");
        ScriptedMcp.Behaviour heavy = (exchange, message) -> {
            boolean lists = message.path("method").asText().equals("tools/list");
            if (lists) {
                send(exchange, 200, "application/json", HostileMcp.listing(message, 1, "x".repeat(900_000)));
            }
            return lists;
        };
        try (ScriptedMcp server = new ScriptedMcp(heavy)) {
            assertUnavailable(server.tools(), Computing.HERE, "more than 4194304 characters");
        }
    }

    @Test
    void shouldOfferAThousandToolsWhenTheirSchemasAreCheckedOnThePool() {
        Tool.McpServer server = process("1000");
        try (ComputePool computing = new ComputePool(ComputeSettings.of(Map.of()));
                Toolboxes toolboxes = toolboxes(server, computing);
                Toolbox toolbox = toolboxes.open(toolset(server), Instant::now, "campaign")) {
            assertThat(toolbox.specs()).hasSize(1_000);
            assertThat(toolbox.specs().getLast().parameters().path("required")).hasSize(1);
        }
    }

    @Test
    void shouldBeUnavailableWhenTheCheckOfItsSchemasTakesTooLong() {
        Computing slow = new StoppedComputing(TaskKind.DEFINITIONS);
        assertUnavailable(process("right"), slow, "The check of its tools' schemas took more than 5 s");
    }

    /** A server that knows its sessions for one call each. */
    private static ScriptedMcp.Behaviour forgetting(AtomicInteger sessions, AtomicInteger calls, int callsPerSession) {
        AtomicInteger left = new AtomicInteger();
        return (exchange, message) -> {
            if (message.path("method").asText().equals("initialize")) {
                left.set(callsPerSession);
                exchange.getResponseHeaders().set("Mcp-Session-Id", "session-" + sessions.incrementAndGet());
                return false;
            }
            String asked = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
            boolean known = ("session-" + sessions.get()).equals(asked);
            if (!known || (isCall(message) && left.getAndDecrement() <= 0)) {
                exchange.sendResponseHeaders(404, -1);
                return true;
            }
            if (isCall(message)) {
                calls.incrementAndGet();
            }
            return false;
        };
    }

    @Test
    void shouldBeginANewSessionOnceWhenTheServerHasForgottenIt() throws Exception {
        AtomicInteger sessions = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        try (ScriptedMcp server = new ScriptedMcp(forgetting(sessions, calls, 1))) {
            assertThat(greeting(server.tools(), 3)).isEqualTo("Hello Ada");
        }
        assertThat(calls).as("no call runs twice").hasValue(3);
        assertThat(sessions).hasValue(3);
    }

    @Test
    void shouldFailTheCallWhenTheServerForgetsEverySession() throws Exception {
        AtomicInteger sessions = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        try (ScriptedMcp server = new ScriptedMcp(forgetting(sessions, calls, 0))) {
            assertFails(server.tools(), "The MCP server answered HTTP 404");
        }
        assertThat(sessions).as("one, and one more").hasValue(2);
        assertThat(calls).hasValue(0);
    }
}
