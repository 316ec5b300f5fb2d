package dev.assay.activities.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.tool.Toolset;
import dev.assay.domain.tool.UrlTemplate;
import dev.assay.work.compute.Computing;
import dev.assay.work.secret.SecretVariables;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Variables of tools in files that change while a loop runs. */
@Timeout(60)
class RotatedVariablesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Map<String, String> HEADERS = Map.of("X-Key", "Bearer ${key}");

    @TempDir
    Path directory;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HttpServer server;
    private volatile String heard = "";

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            String before = heard;
            heard = Objects.toString(exchange.getRequestHeaders().getFirst("X-Key"), "");
            boolean isMcp = exchange.getRequestURI().getPath().equals("/mcp");
            String said = isMcp ? MiniMcp.answer(body).orElse("") : "now " + heard + ", before " + before;
            exchange.getResponseHeaders().set("Content-Type", isMcp ? "application/json" : "text/plain");
            exchange.sendResponseHeaders(said.isEmpty() ? 202 : 200, said.isEmpty() ? -1 : said.getBytes(UTF_8).length);
            exchange.getResponseBody().write(said.getBytes(UTF_8));
        }
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private ToolPolicy policy() {
        return new ToolPolicy(List.of(new ToolPolicy.Address(url(), Map.of("key", "TOOL_KEY"))), List.of());
    }

    private Toolset toolset() {
        Tool.Request request = new Tool.Request("GET", new UrlTemplate(url() + "/echo"), HEADERS, null);
        ToolSpec spec = new ToolSpec("echo", "Says.", Json.tree("{\"type\":\"object\"}"));
        return new Toolset(
                List.of(
                        new Tool.Http(spec, request, PATIENCE, true),
                        new Tool.Mcp(
                                "mini", new Tool.McpServer.Http(url() + "/mcp", HEADERS), List.of(), PATIENCE, true)),
                false);
    }

    private static String run(Toolbox toolbox, String tool) throws InterruptedException {
        return toolbox.find(tool).orElseThrow().run(Json.tree("{\"name\":\"Ada\"}"), _ -> {});
    }

    @Test
    void shouldSendTheNewValueWithTheNextRequestAndHideBoth() throws Exception {
        Path file = Files.writeString(directory.resolve("key"), "value-a");
        SecretVariables variables = SecretVariables.of(Map.of("TOOL_KEY_FILE", file.toString()));
        try (Toolboxes toolboxes = new Toolboxes(policy(), variables, Computing.HERE);
                Toolbox toolbox = toolboxes.open(toolset(), Instant::now, "campaign")) {
            assertThat(run(toolbox, "echo")).isEqualTo("now Bearer [secret], before Bearer [secret]");
            assertThat(heard).isEqualTo("Bearer value-a");

            Files.writeString(file, "value-b");
            variables.look();
            assertThat(run(toolbox, "echo")).isEqualTo("now Bearer [secret], before Bearer [secret]");
            assertThat(heard).isEqualTo("Bearer value-b");

            Files.writeString(file, "value-c");
            variables.look();
            assertThat(run(toolbox, "greet")).isEqualTo("Hello Ada");
            assertThat(heard).isEqualTo("Bearer value-c");

            Files.writeString(file, "no\nheader");
            variables.look();
            assertThat(run(toolbox, "echo")).startsWith("now Bearer [secret]");
            assertThat(heard).isEqualTo("Bearer value-c");
            assertThat(variables.unreadable()).containsExactly("TOOL_KEY");
        }
    }

    @Test
    void shouldNotStartWhenTheFileOfAVariableIsBad() throws Exception {
        Path file = Files.createFile(directory.resolve("key"));
        SecretVariables variables = SecretVariables.of(Map.of("TOOL_KEY_FILE", file.toString()));

        ToolPolicy.AllowedAgent program = new ToolPolicy.AllowedAgent("sh", Set.of("TOOL_KEY"), Set.of());
        ToolPolicy programs = new ToolPolicy(List.of(), List.of(), List.of(program));
        for (ToolPolicy policy : List.of(policy(), programs)) {
            assertThatThrownBy(() -> new Toolboxes(policy, variables, Computing.HERE))
                    .isInstanceOf(AssayException.class)
                    .hasMessageStartingWith("TOOL_KEY_FILE names " + file);
        }
    }
}
