package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.json.Json;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.Toolset;
import dev.assay.work.compute.Computing;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An MCP server over HTTP that answers as a test says; {@link HostileMcp} is one over a pipe. */
final class ScriptedMcp implements AutoCloseable {

    /** The time of a call. */
    static final Duration CALL = Duration.ofSeconds(1);

    /** How a message is answered; the sessions and lists of {@link MiniMcp} where it does not. */
    interface Behaviour {
        boolean answers(HttpExchange exchange, JsonNode message) throws IOException;
    }

    interface Text {
        void write(String text) throws IOException;
    }

    interface Events {
        void write(Text out, String answer) throws IOException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    ScriptedMcp(Behaviour behaviour) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                if (!behaviour.answers(exchange, Json.tree(body))) {
                    send(exchange, 200, "application/json", MiniMcp.answer(body).orElse(""));
                }
            }
        });
        server.start();
    }

    Tool.McpServer tools() {
        return new Tool.McpServer.Http("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp", Map.of());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(bytes.length == 0 ? 202 : status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Answers calls by a stream of events, which goes on until {@code events} returns. */
    static Behaviour streaming(Events events) {
        return (exchange, message) -> {
            if (!isCall(message)) {
                return false;
            }
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            events.write(
                    text -> {
                        body.write(text.getBytes(StandardCharsets.UTF_8));
                        body.flush();
                    },
                    MiniMcp.answer(message.toString()).orElseThrow());
            return true;
        };
    }

    static boolean isCall(JsonNode message) {
        return is(message, "tools/call");
    }

    static boolean is(JsonNode message, String method) {
        return message.path("method").asText().equals(method);
    }

    /** A process of {@link HostileMcp}. */
    static Tool.McpServer process(String mode) {
        return new Tool.McpServer.Stdio(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                HostileMcp.class.getName(),
                mode));
    }

    static Toolboxes toolboxes(Tool.McpServer server, Computing computing) {
        ToolPolicy policy = switch (server) {
            case Tool.McpServer.Http(String url, var headers) ->
                new ToolPolicy(List.of(new ToolPolicy.Address(url, Map.of())), List.of());
            case Tool.McpServer.Stdio(List<String> command) -> new ToolPolicy(List.of(), List.of(command));
        };
        return new Toolboxes(policy, Map.of("PATH", System.getenv("PATH")), computing);
    }

    static Toolset toolset(Tool.McpServer server) {
        return new Toolset(List.of(new Tool.Mcp("hostile", server, List.of(), CALL, false)), false);
    }
}
