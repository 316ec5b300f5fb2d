package dev.assay.activities.provider;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A provider on this machine that answers as it is told and keeps what it was asked. */
public final class StubProvider implements AutoCloseable {

    static {
        // Read once by the server: otherwise each answer waits 40 ms for the client's delayed acknowledgement, and
        // connections beyond 200 are closed when they idle.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
    }

    /** How the stub answers. */
    public interface Behaviour {
        void answer(HttpExchange exchange) throws IOException, InterruptedException;
    }

    /** What the stub was asked. */
    public record Asked(String path, Map<String, List<String>> headers, String text) {
        public JsonNode body() {
            return Json.tree(text);
        }

        public String header(String name) {
            return headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .map(entry -> entry.getValue().getFirst())
                    .findFirst()
                    .orElse("");
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Asked> asked = new ConcurrentLinkedQueue<>();
    private final Map<HttpExchange, Asked> underWay = new ConcurrentHashMap<>();
    private final Set<InetSocketAddress> clients = ConcurrentHashMap.newKeySet();

    public StubProvider(Behaviour behaviour) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                clients.add(exchange.getRemoteAddress());
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                Asked request =
                        new Asked(exchange.getRequestURI().toString(), Map.copyOf(exchange.getRequestHeaders()), body);
                asked.add(request);
                underWay.put(exchange, request);
                behaviour.answer(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                underWay.remove(exchange);
            }
        });
        server.start();
    }

    public static StubProvider answering(int status, String body, String... headers) throws IOException {
        return new StubProvider(exchange -> answer(exchange, status, body, headers));
    }

    public static void answer(HttpExchange exchange, int status, String body, String... headers) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
        }
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    /** What it is asked by an exchange that it answers now; others may have come since. */
    public Asked asked(HttpExchange exchange) {
        return Objects.requireNonNull(underWay.get(exchange));
    }

    /** Connections over which requests came. */
    public int connections() {
        return clients.size();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
