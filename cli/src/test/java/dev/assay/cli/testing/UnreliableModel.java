package dev.assay.cli.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An OpenAI-compatible endpoint that takes the same time for every call, fails some of them as providers do, and counts what it
 * is asked. Cells are told apart by the model and the {@code [q…]} of the prompt.
 */
public final class UnreliableModel implements AutoCloseable {

    static {
        // Read once by the server: otherwise each answer waits 40 ms for the client's delayed acknowledgement, and
        // connections beyond 200 are closed when they idle.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
    }

    private static final Pattern MODEL = Pattern.compile("\"model\"\\s*:\\s*\"([^\"]+)\"");
    private static final Pattern QUESTION = Pattern.compile("\\[q(\\d+)]");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Duration delay;
    private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();
    private final AtomicInteger answered = new AtomicInteger();

    public UnreliableModel(Duration delay) throws IOException {
        this.delay = delay;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(threads);
        server.createContext("/v1/chat/completions", this::answer);
        server.start();
    }

    /** What {@code OPENAI_BASE_URL} must say. */
    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
    }

    /** Requests for each cell, by {@code model/question}. */
    public Map<String, AtomicInteger> requests() {
        return requests;
    }

    /** Answers for each cell. */
    public Map<String, AtomicInteger> answers() {
        return answers;
    }

    /** Answers so far. */
    public int answered() {
        return answered.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String model = find(MODEL, body);
            int question = Integer.parseInt(find(QUESTION, body));
            String cell = model + "/" + question;
            int request = count(requests, cell);
            Thread.sleep(delay);
            switch (fault(cell, request)) {
                case BUSY -> {
                    exchange.getResponseHeaders().set("Retry-After", "1");
                    send(exchange, 429, error("Rate limit reached"));
                }
                case BROKEN -> send(exchange, 500, error("Internal error"));
                case NONE -> {
                    count(answers, cell);
                    answered.incrementAndGet();
                    send(exchange, 200, completion(model, model.endsWith("judge") ? "1" : "Answer " + question));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private enum Fault {
        NONE,
        BUSY,
        BROKEN
    }

    /** Every eighth cell gets 429 first, every ninth 500, and every fiftieth or so two faults before its answer. */
    private static Fault fault(String cell, int request) {
        int name = Math.floorMod(cell.hashCode() * 31, 3_600);
        if (request == 1 && name % 8 == 0) {
            return Fault.BUSY;
        }
        return (request == 1 && name % 9 == 0) || (request == 2 && name % 48 == 0) ? Fault.BROKEN : Fault.NONE;
    }

    private static int count(Map<String, AtomicInteger> counters, String cell) {
        return counters.computeIfAbsent(cell, key -> new AtomicInteger()).incrementAndGet();
    }

    private static String find(Pattern pattern, String body) {
        Matcher matcher = pattern.matcher(body);
        if (!matcher.find()) {
            throw new IllegalArgumentException("No " + pattern + " in " + body);
        }
        return matcher.group(1);
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static String error(String message) {
        return "{\"error\":{\"message\":\"" + message + "\"}}";
    }

    private static String completion(String model, String content) {
        return """
            {"id":"c","object":"chat.completion","created":0,"model":"%s","choices":[{"index":0,"message":
            {"role":"assistant","content":"%s"},"finish_reason":"stop"}],
            "usage":{"prompt_tokens":20,"completion_tokens":5,"total_tokens":25}}
            """.formatted(model, content);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
