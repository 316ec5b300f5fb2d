package dev.assay.activities.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.Toolset;
import dev.assay.work.compute.Computing;
import java.io.File;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class McpToolsTest {

    private static final List<String> MINI = List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-cp",
            System.getProperty("java.class.path"),
            MiniMcp.class.getName());

    private static Toolset toolset(Tool.McpServer server, String... only) {
        return new Toolset(List.of(new Tool.Mcp("mini", server, List.of(only), Duration.ofSeconds(20), false)), false);
    }

    private static Toolboxes allowing(String url, List<String> command) {
        ToolPolicy policy = new ToolPolicy(List.of(new ToolPolicy.Address(url, Map.of())), List.of(command));
        return new Toolboxes(
                policy, Map.of("PATH", System.getenv("PATH"), "OPENAI_API_KEY", "sk-secret"), Computing.HERE);
    }

    private static String run(Toolbox toolbox, String tool, String arguments) throws InterruptedException {
        return toolbox.find(tool).orElseThrow().run(Json.tree(arguments), update -> {});
    }

    private static void assertMini(Toolbox toolbox) throws InterruptedException {
        assertThat(toolbox.specs()).extracting("name").containsExactly("greet", "broken", "environment", "long");
        assertThat(toolbox.specs().getFirst().description()).isEqualTo("Greets.");
        assertThat(toolbox.specs().getLast().description()).isEqualTo("nothing: \uFFFD");
        JsonNode schema = toolbox.specs().getFirst().parameters();
        assertThat(schema.path("properties").path("name").path("type").asText()).isEqualTo("string");
        assertThat(schema.path("required")).isEqualTo(Json.tree("[\"name\"]"));
        assertThat(run(toolbox, "greet", "{\"name\":\"Ada\"}")).isEqualTo("Hello Ada");
        assertThatThrownBy(() -> run(toolbox, "broken", "{}"))
                .isInstanceOf(ToolException.class)
                .hasMessage("It is broken.");
    }

    @Test
    void shouldOfferTheToolsOfAServerOverHttp() throws Exception {
        try (ToolServer server = new ToolServer();
                Toolboxes toolboxes = allowing(server.url(), MINI);
                Toolbox toolbox = toolboxes.open(
                        toolset(new Tool.McpServer.Http(server.url() + "/mcp", Map.of())), Instant::now, "campaign")) {
            assertMini(toolbox);
        }
    }

    @Test
    void shouldStartAServerWithoutTheSecretsOfTheWorker() throws Exception {
        try (Toolboxes toolboxes = allowing("http://localhost:1", MINI);
                Toolbox toolbox = toolboxes.open(toolset(new Tool.McpServer.Stdio(MINI)), Instant::now, "campaign")) {
            assertMini(toolbox);
            assertThat(run(toolbox, "environment", "{}")).contains("PATH").doesNotContain("OPENAI_API_KEY");
        }
    }

    @Test
    void shouldFailTheCallWhenAServerAnswersMoreThanAMebibyteOverHttp() throws Exception {
        try (ToolServer server = new ToolServer();
                Toolboxes toolboxes = allowing(server.url(), MINI);
                Toolbox toolbox = toolboxes.open(
                        toolset(new Tool.McpServer.Http(server.url() + "/mcp", Map.of())), Instant::now, "campaign")) {
            assertTooLong(toolbox);
            assertThat(run(toolbox, "greet", "{\"name\":\"Ada\"}")).isEqualTo("Hello Ada");
        }
    }

    @Test
    void shouldFailTheCallAtOnceWhenAServerAnswersMoreThanAMebibyteOverAPipe() throws Exception {
        try (Toolboxes toolboxes = allowing("http://localhost:1", MINI);
                Toolbox toolbox = toolboxes.open(toolset(new Tool.McpServer.Stdio(MINI)), Instant::now, "campaign")) {
            assertTooLong(toolbox);
            long began = System.nanoTime();
            // The end of the process and a write to it come in either order.
            for (int i = 0; i < 20; i++) {
                assertThatThrownBy(() -> run(toolbox, "greet", "{\"name\":\"Ada\"}"))
                        .isInstanceOf(ToolException.class)
                        .hasMessageContaining("longer than 1 MiB");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        }
    }

    private static void assertTooLong(Toolbox toolbox) {
        assertThatThrownBy(() -> run(toolbox, "long", "{}")).isInstanceOf(ToolException.class);
    }

    @Test
    void shouldOfferOnlyWhatIsNamedAndRefuseWhatIsMissing() {
        try (Toolboxes toolboxes = allowing("http://localhost:1", MINI)) {
            try (Toolbox toolbox =
                    toolboxes.open(toolset(new Tool.McpServer.Stdio(MINI), "greet"), Instant::now, "campaign")) {
                assertThat(toolbox.specs()).extracting("name").containsExactly("greet");
            }
            assertRefused(toolboxes, new Tool.McpServer.Stdio(MINI), "has no tool gone", "gone");
        }
    }

    @Test
    void shouldRefuseWhatTheOperatorDoesNotAllowOrWhatDoesNotAnswer() {
        try (Toolboxes toolboxes = allowing("http://127.0.0.1:1/mcp", List.of("/no/such/program"))) {
            assertThatThrownBy(() -> toolboxes.open(toolset(new Tool.McpServer.Stdio(MINI)), Instant::now, "campaign"))
                    .isInstanceOfSatisfying(
                            ToolboxException.class,
                            refused -> assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_NOT_ALLOWED));
            assertRefused(
                    toolboxes,
                    new Tool.McpServer.Http("http://127.0.0.1:1/mcp", Map.of()),
                    "MCP server mini does not answer: No connection to the MCP server could be made");
        }
    }

    private static void assertRefused(Toolboxes toolboxes, Tool.McpServer server, String message, String... only) {
        assertThatThrownBy(() -> toolboxes.open(toolset(server, only), Instant::now, "campaign"))
                .isInstanceOfSatisfying(
                        ToolboxException.class,
                        refused -> assertThat(refused.failure().code()).isEqualTo(ErrorCode.TOOL_UNAVAILABLE))
                .hasMessageContaining(message);
    }

    /** The reference server of the protocol's authors: {@code npm install -g @modelcontextprotocol/server-everything}. */
    private static Path everything() {
        Optional<Path> found = Arrays.stream(
                        Objects.requireNonNull(System.getenv("PATH")).split(File.pathSeparator))
                .map(directory -> Path.of(directory, "mcp-server-everything"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "mcp-server-everything is not on the PATH; its tests are skipped");
        return found.get();
    }

    private static void assertEverything(Toolbox toolbox) throws InterruptedException {
        assertThat(toolbox.specs()).extracting("name").contains("echo", "get-sum");
        assertThat(run(toolbox, "echo", "{\"message\":\"Grüße\"}")).isEqualTo("Echo: Grüße");
        assertThat(run(toolbox, "get-sum", "{\"a\":2,\"b\":3}")).contains("5");
        assertThatThrownBy(() -> run(toolbox, "get-sum", "{\"a\":\"x\"}")).isInstanceOf(ToolException.class);
        assertUpdates(toolbox);
    }

    /** Two calls at once, of three and of two steps: each hears of its own. */
    private static void assertUpdates(Toolbox toolbox) throws InterruptedException {
        RunnableTool tool = toolbox.find("trigger-long-running-operation").orElseThrow();
        List<String> ofThree = new CopyOnWriteArrayList<>();
        List<String> ofTwo = new CopyOnWriteArrayList<>();
        Thread other = Thread.startVirtualThread(() -> {
            try {
                tool.run(Json.tree("{\"duration\": 0.6, \"steps\": 2}"), ofTwo::add);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(tool.run(Json.tree("{\"duration\": 0.6, \"steps\": 3}"), ofThree::add))
                .contains("completed");
        assertThat(other.join(Duration.ofSeconds(20))).isTrue();

        assertThat(ofThree).containsExactly("1 of 3", "2 of 3", "3 of 3");
        assertThat(ofTwo).containsExactly("1 of 2", "2 of 2");
    }

    @Test
    void shouldWorkWithTheReferenceServerOverStdio() throws Exception {
        List<String> command = List.of(everything().toString(), "stdio");
        try (Toolboxes toolboxes = allowing("http://localhost:1", command);
                Toolbox toolbox =
                        toolboxes.open(toolset(new Tool.McpServer.Stdio(command)), Instant::now, "campaign")) {
            assertEverything(toolbox);
        }
    }

    @Test
    void shouldWorkWithTheReferenceServerOverHttp() throws Exception {
        Path program = everything();
        int port = freePort();
        ProcessBuilder builder = new ProcessBuilder(program.toString(), "streamableHttp")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PORT", String.valueOf(port));
        Process process = builder.start();
        String url = "http://127.0.0.1:" + port + "/mcp";
        try (Toolboxes toolboxes = allowing(url, MINI);
                Toolbox toolbox = openWhenItAnswers(toolboxes, new Tool.McpServer.Http(url, Map.of()))) {
            assertEverything(toolbox);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Toolbox openWhenItAnswers(Toolboxes toolboxes, Tool.McpServer server) {
        return await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(ToolboxException.class)
                .until(() -> toolboxes.open(toolset(server), Instant::now, "campaign"), Objects::nonNull);
    }
}
