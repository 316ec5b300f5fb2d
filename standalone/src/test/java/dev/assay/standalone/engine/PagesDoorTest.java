package dev.assay.standalone.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.access.LocalDoor;
import dev.assay.domain.json.Json;
import dev.assay.standalone.process.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests come byte by byte: clients would write Host and Origin themselves. */
class PagesDoorTest {

    private record Seen(String request, List<String> host, List<String> cookie, String body) {}

    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final CountDownLatch more = new CountDownLatch(1);

    private HttpServer pages;
    private PagesDoor door;

    @BeforeEach
    void start() throws IOException {
        pages = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        pages.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        pages.createContext("/", this::page);
        pages.createContext("/stream", this::stream);
        pages.createContext("/nothing", exchange -> {
            exchange.sendResponseHeaders(304, -1);
            exchange.close();
        });
        pages.start();
        door = PagesDoor.open(FreePort.any(), this::inner, new LocalDoor(Set.of("lab.example")));
    }

    @AfterEach
    void stop() {
        door.close();
        pages.stop(0);
    }

    private String inner() {
        return "127.0.0.1:" + pages.getAddress().getPort();
    }

    private void page(HttpExchange exchange) throws IOException {
        try (exchange) {
            seen.add(new Seen(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                    exchange.getRequestHeaders().get("Host"),
                    exchange.getRequestHeaders().getOrDefault("Cookie", List.of()),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.getResponseHeaders().put("Set-Cookie", List.of("a=1", "b=2"));
            exchange.sendResponseHeaders(201, 5);
            exchange.getResponseBody().write("pages".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void stream(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("first\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            more.await();
            exchange.getResponseBody().write("last\n".getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private String own() {
        return "127.0.0.1:" + door.port();
    }

    private String answer(String head, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
            OutputStream out = socket.getOutputStream();
            String length = body.isEmpty() ? "" : "\r\nContent-Length: " + body.length();
            out.write((head + length + "\r\nConnection: close\r\n\r\n" + body).getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String get(String path, String host, String... headers) throws IOException {
        return answer("GET " + path + " HTTP/1.1\r\nHost: " + host + String.join("", headers), "");
    }

    @Test
    void shouldPassOnWhatWasAskedAndAnswered() throws Exception {
        String answer = answer(
                "POST /api/v1/x%2Fy?q=%20a HTTP/1.1\r\nHost: " + own() + "\r\nOrigin: http://" + own()
                        + "\r\nCookie: c=3",
                "{}");

        assertThat(answer).startsWith("HTTP/1.1 201 ").contains("pages");
        assertThat(answer.toLowerCase(Locale.ROOT)).contains("set-cookie: a=1", "set-cookie: b=2");
        assertThat(seen.take())
                .isEqualTo(new Seen("POST /api/v1/x%2Fy?q=%20a", List.of(inner()), List.of("c=3"), "{}"));
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example,",
        "127.0.0.1.evil.example,",
        "127.0.0.1,http://evil.example",
        "127.0.0.1,null",
        "lab.example,http://127.0.0.1"
    })
    void shouldRefuseRequestsOfOtherSites(String host, String origin) throws Exception {
        String answer = origin == null ? get("/", host) : get("/", host, "\r\nOrigin: " + origin);

        assertThat(answer).startsWith("HTTP/1.1 403 ").contains("application/problem+json");
        assertThat(Json.tree(answer.substring(answer.indexOf("{"))).path("code").asText())
                .isEqualTo("FORBIDDEN");
        assertThat(seen).isEmpty();
    }

    @Test
    void shouldAnswerUnderANameThatIsAllowed() throws Exception {
        assertThat(get("/", "lab.example", "\r\nOrigin: http://lab.example")).startsWith("HTTP/1.1 201 ");
    }

    @Test
    void shouldHandOnEachPieceAsItComes() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), door.port())) {
            socket.getOutputStream()
                    .write(("GET /stream HTTP/1.1\r\nHost: " + own() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            assertThat(until(lines, "first")).isTrue();
            more.countDown();
            assertThat(until(lines, "last")).isTrue();
        }
    }

    private static boolean until(BufferedReader lines, String wanted) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldHaveNoBodyWhereThereIsNone() throws Exception {
        assertThat(get("/nothing", own())).startsWith("HTTP/1.1 304 ").endsWith("\r\n\r\n");
        assertThat(answer("HEAD / HTTP/1.1\r\nHost: " + own(), ""))
                .startsWith("HTTP/1.1 201 ")
                .endsWith("\r\n\r\n");
    }

    @Test
    void shouldRefuseALargeBody() throws Exception {
        assertThat(answer("POST / HTTP/1.1\r\nHost: " + own(), "x".repeat((1 << 20) + 1)))
                .startsWith("HTTP/1.1 413 ");
        assertThat(answer("POST / HTTP/1.1\r\nHost: " + own(), "x".repeat(1 << 20)))
                .startsWith("HTTP/1.1 201 ");
    }

    @Test
    void shouldSaySoWhenThePagesAreAway() throws Exception {
        pages.stop(0);

        assertThat(get("/", own())).startsWith("HTTP/1.1 502 ").contains("Temporal's pages do not answer");
    }
}
