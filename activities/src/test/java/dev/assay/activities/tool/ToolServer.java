package dev.assay.activities.tool;

import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.tool.ToolPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server of tools on this machine, which keeps what it was asked. */
public final class ToolServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<String> asked = new ConcurrentLinkedQueue<>();

    /** Counted down by each call of /together, which answers when all have come. */
    private final CountDownLatch together = new CountDownLatch(2);

    public ToolServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String key = Objects.toString(exchange.getRequestHeaders().getFirst("X-Key"), "");
                if (exchange.getRequestURI().getPath().equals("/tools/mcp")) {
                    String reply = MiniMcp.answer(body.isEmpty() ? "{}" : body).orElse("");
                    exchange.getResponseHeaders().set("Content-Type", "application/json");
                    exchange.sendResponseHeaders(
                            reply.isEmpty() ? 202 : 200,
                            reply.isEmpty() ? -1 : reply.getBytes(StandardCharsets.UTF_8).length);
                    exchange.getResponseBody().write(reply.getBytes(StandardCharsets.UTF_8));
                    return;
                }
                asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + key + body);
                String[] answer = answer(exchange.getRequestURI().getPath(), body)
                        .replace("X-Key", key)
                        .split("\\|", 3);
                exchange.getResponseHeaders().set("Content-Type", answer[1]);
                if (answer[0].startsWith("3")) {
                    exchange.getResponseHeaders().set("Location", "/tools/echo");
                }
                byte[] bytes = answer[2].getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(Integer.parseInt(answer[0]), bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    private String answer(String path, String body) throws InterruptedException {
        return switch (path.replaceFirst("^/tools/([^/]*).*$", "$1")) {
            case "tell" -> "200|text/plain|you sent X-Key";
            case "refuse" -> "401|text/plain|no good: X-Key";
            case "fail" -> "500|text/plain|out of order";
            case "redirect" -> "302|text/plain|";
            case "image" -> "200|image/png|xyz";
            case "empty" -> "200|text/plain|";
            case "large" -> "200|text/plain|" + "é".repeat(50_000);
            case "huge" -> "200|text/plain|" + "x".repeat(2_000_000);
            case "slow" -> {
                Thread.sleep(20_000);
                yield "200|text/plain|late";
            }
            case "together" -> {
                together.countDown();
                yield together.await(10, TimeUnit.SECONDS) ? "200|text/plain|both" : "500|text/plain|alone";
            }
            default -> "200|application/json|{\"path\":\"" + path + "\",\"body\":\"" + body.replace("\"", "'") + "\"}";
        };
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/tools";
    }

    /** Allows this server only, with a variable {@code key}. */
    public ToolPolicy policy() {
        return new ToolPolicy(List.of(new ToolPolicy.Address(url(), Map.of("key", "TOOL_KEY"))), List.of());
    }

    /** Requests in the order in which they came: method, path, key, body. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
