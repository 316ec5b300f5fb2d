package dev.assay.standalone.engine;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door to the pages of Temporal's dev server. The pages answer whoever reaches them, so also a page of another site that runs in a
 * browser of this machine. They listen where nobody finds them, and the door passes on what {@link LocalDoor} does not refuse.
 */
final class PagesDoor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PagesDoor.class);

    private static final int AT_ONCE = 64;
    private static final int MAX_BODY = 1 << 20;
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final int BAD_GATEWAY = 502;

    private static final long NO_BODY = -1;
    private static final long CHUNKED = 0;

    /** Headers of one connection, which are not passed on, and those that each side writes itself. */
    private static final Set<String> OWN = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private final HttpServer server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final Supplier<String> inner;
    private final LocalDoor rule;

    private PagesDoor(HttpServer server, Supplier<String> inner, LocalDoor rule) {
        this.server = server;
        this.inner = inner;
        this.rule = rule;
    }

    /**
     * Opens the door.
     *
     * @param inner where the pages are now: address and port
     * @throws IOException when something else listens on the port
     */
    static PagesDoor open(int port, Supplier<String> inner, LocalDoor rule) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        PagesDoor door = new PagesDoor(server, inner, rule);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", door::answer);
        server.start();
        return door;
    }

    /** The port on which it listens. */
    int port() {
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String refusal = rule.refusal(all(exchange, "Host"), all(exchange, "Origin"));
            if (refusal != null) {
                refuse(exchange, ErrorCode.FORBIDDEN.httpStatus(), ErrorCode.FORBIDDEN, refusal);
            } else if (free.tryAcquire()) {
                try {
                    passOn(exchange);
                } finally {
                    free.release();
                }
            } else {
                refuse(
                        exchange,
                        ErrorCode.SERVER_BUSY.httpStatus(),
                        ErrorCode.SERVER_BUSY,
                        "Temporal's pages have many requests; ask again.");
            }
        }
    }

    private static List<String> all(HttpExchange exchange, String header) {
        return exchange.getRequestHeaders().getOrDefault(header, List.of());
    }

    private void passOn(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            refuse(
                    exchange,
                    ErrorCode.BODY_TOO_LARGE.httpStatus(),
                    ErrorCode.BODY_TOO_LARGE,
                    "Temporal's pages take bodies up to 1 MiB here.");
            return;
        }
        HttpResponse<InputStream> said;
        try {
            said = client.send(request(exchange, body), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            LOG.debug("Temporal's pages did not answer", e);
            refuse(
                    exchange,
                    BAD_GATEWAY,
                    ErrorCode.STORE_UNAVAILABLE,
                    "Temporal's pages do not answer; try again in a moment.");
            return;
        } catch (InterruptedException _) {
            // The door is closed.
            Thread.currentThread().interrupt();
            return;
        }
        send(exchange, said);
    }

    private HttpRequest request(HttpExchange exchange, byte[] body) {
        URI asked = exchange.getRequestURI();
        String query = asked.getRawQuery() == null ? "" : "?" + asked.getRawQuery();
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://" + inner.get() + asked.getRawPath() + query))
                .timeout(PATIENCE)
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (isPassedOn(name)) {
                values.forEach(value -> request.header(name, value));
            }
        });
        return request.build();
    }

    private static boolean isPassedOn(String header) {
        return !OWN.contains(header.toLowerCase(Locale.ROOT));
    }

    private static void send(HttpExchange exchange, HttpResponse<InputStream> said) throws IOException {
        try (InputStream body = said.body()) {
            said.headers().map().forEach((name, values) -> {
                if (isPassedOn(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            boolean isEmpty =
                    exchange.getRequestMethod().equals("HEAD") || said.statusCode() == 204 || said.statusCode() == 304;
            exchange.sendResponseHeaders(said.statusCode(), isEmpty ? NO_BODY : CHUNKED);
            if (!isEmpty) {
                copy(body, exchange.getResponseBody());
            }
        }
    }

    /** Each piece as it comes: some pages are streams. */
    private static void copy(InputStream from, OutputStream to) throws IOException {
        byte[] piece = new byte[16 << 10];
        for (int read = from.read(piece); read >= 0; read = from.read(piece)) {
            to.write(piece, 0, read);
            to.flush();
        }
    }

    private static void refuse(HttpExchange exchange, int status, ErrorCode code, String detail) throws IOException {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put(
                "type",
                "urn:assay:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        problem.put("status", status);
        problem.put("code", code.name());
        problem.put("detail", detail);
        byte[] body = Json.write(problem).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        client.shutdownNow();
    }
}
