package dev.assay.standalone.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.isolation.IsolationOffer;
import dev.assay.domain.json.Json;
import dev.assay.work.confine.OwnProcess;
import dev.assay.work.secret.SecretVariables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health and the metrics of a worker over HTTP, under the paths and in the shape of the API's health. {@code /health/liveness}
 * answers 200 as long as the process does. {@code /health/readiness} and {@code /health} answer 503 when a part is down.
 * {@code /prometheus} has its metrics.
 *
 * <p>It is the JDK's server. Micronaut's would answer the whole API on this port too, start seconds later and take 40 MB more.
 */
final class WorkerHealth implements AutoCloseable {

    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    /** Prometheus' text format. */
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;

    private WorkerHealth(HttpServer server) {
        this.server = server;
    }

    /**
     * Begins to answer.
     *
     * @param parts what must be up, by name
     * @param programs what the worker says of programs; null: it has none to start
     * @param metrics what {@code /prometheus} answers, in Prometheus' text format
     * @throws AssayException CONFLICT when the address cannot be listened on
     */
    static WorkerHealth start(
            InetSocketAddress address,
            HealthDoor door,
            Map<String, BooleanSupplier> parts,
            @Nullable IsolationOffer programs,
            Supplier<String> metrics) {
        try {
            HttpServer server = HttpServer.create(address, 0);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            Map<String, HttpHandler> answers = Map.of(
                    "/health", exchange -> answer(exchange, parts, programs),
                    "/health/liveness", exchange -> answer(exchange, Map.of(), null),
                    "/prometheus", exchange -> send(exchange, OK, TEXT, metrics.get()));
            answers.forEach((path, answer) -> server.createContext(path, guarded(door, answer)));
            server.start();
            return new WorkerHealth(server);
        } catch (IOException e) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "The worker's health could not be served on " + address + " (" + e.getMessage()
                            + "); choose another --health-port",
                    e);
        }
    }

    private static HttpHandler guarded(HealthDoor door, HttpHandler answer) {
        return exchange -> {
            HealthDoor.Refusal refusal = door.refusal(exchange);
            if (refusal == null) {
                answer.handle(exchange);
            } else {
                send(exchange, refusal.status(), "text/plain; charset=utf-8", refusal.reason() + "\n");
            }
        };
    }

    /** Port on which it listens. */
    int port() {
        return server.getAddress().getPort();
    }

    private static void answer(
            HttpExchange exchange, Map<String, BooleanSupplier> parts, @Nullable IsolationOffer programs)
            throws IOException {
        Map<String, Status> details = new TreeMap<>();
        parts.forEach((name, part) -> details.put(name, Status.of(part.getAsBoolean())));
        boolean up = !details.containsValue(Status.of(false));
        if (programs != null) {
            details.put("programs", new Status("UP", programs));
        }
        Map<String, Object> secrets = SecretVariables.ofProcess().health();
        if (!secrets.isEmpty()) {
            details.put("secrets", new Status("UP", secrets));
        }
        if (OwnProcess.isOpen(System.getenv())) {
            details.put("dumpable", new Status("UP", OwnProcess.OPEN));
        }
        String body = Json.write(new Health("assay worker", up ? "UP" : "DOWN", details));
        send(exchange, up ? OK : UNAVAILABLE, "application/json", body);
    }

    private static void send(HttpExchange exchange, int status, String type, String text) throws IOException {
        try (exchange) {
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private record Health(String name, String status, Map<String, Status> details) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Status(String status, @Nullable Object details) {
        static Status of(boolean up) {
            return new Status(up ? "UP" : "DOWN", null);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
