package dev.assay.cli.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A model over HTTP that answers every prompt with {@code Paris}, or as it is told, and ten tokens, and remembers what it was asked. As the
 * provider {@code stub} an output token costs one cent, and an answer may have ten of them: a call costs ten cents, its worst
 * case.
 */
public final class StubModel implements AutoCloseable {

    static {
        // Read once by the server: otherwise each answer waits 40 ms for the client's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> prompts = new CopyOnWriteArrayList<>();
    private final Set<String> refused = ConcurrentHashMap.newKeySet();
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile Function<String, Duration> delay = prompt -> Duration.ZERO;
    private volatile CountDownLatch released = new CountDownLatch(1);
    private volatile Function<JsonNode, @Nullable Reply> reply = request -> null;
    private volatile BinaryOperator<String> answer = (model, prompt) -> "Paris";

    public StubModel() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Makes the provider {@code stub} known to a server on this data directory. */
    public void writeProviders(Path dataDirectory) throws IOException {
        writeProviders(dataDirectory, 1_000);
    }

    /** The same, with so many calls in flight over all workers. */
    public void writeProviders(Path dataDirectory, int maxConcurrent) throws IOException {
        Files.createDirectories(dataDirectory);
        Files.writeString(dataDirectory.resolve("providers.yaml"), """
            providers:
              stub:
                type: openai
                baseUrl: http://127.0.0.1:%d/v1
                keyless: true
                maxOutputTokens: 10
                maxConcurrent: %d
                prices: {"*": {input: 0, output: 10000}}
            """.formatted(
                        server.getAddress().getPort(), maxConcurrent));
    }

    /** How long an answer takes. */
    public void delay(Duration time) {
        delayBy(prompt -> time);
    }

    /** How long the answer to each prompt takes. */
    public void delayBy(Function<String, Duration> time) {
        delay = time;
    }

    /** Answers at once what waits for its answer, and everything after it. */
    public void release() {
        delay(Duration.ZERO);
        CountDownLatch waiting = released;
        released = new CountDownLatch(1);
        waiting.countDown();
    }

    /** What it answers, by the model that was asked and the last message. */
    public void answerBy(BinaryOperator<String> next) {
        answer = next;
    }

    /** An answer as it is sent. */
    public record Reply(int status, String body, Map<String, String> headers) {

        /** A failure that asks to wait. */
        public static Reply retryAfter(int seconds) {
            return new Reply(503, "{\"error\":{\"message\":\"Later\"}}", Map.of("Retry-After", "" + seconds));
        }

        /** A call of the tool {@code calculator}. */
        public static Reply calculating(String expression) {
            String arguments = Json.write(Map.of("expression", expression));
            return new Reply(200, completion("""
                "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "calculator",
                "arguments": %s}}]\
                """.formatted(Json.write(arguments))), Map.of());
        }
    }

    /** How it answers some requests; null: as it answers all others. */
    public void replyBy(Function<JsonNode, @Nullable Reply> next) {
        reply = next;
    }

    /** Answers these prompts with 400, and all others as always. */
    public void refuse(Set<String> next) {
        refused.clear();
        refused.addAll(next);
    }

    /** The prompts, one for each request. */
    public List<String> prompts() {
        return List.copyOf(prompts);
    }

    /** Requests that wait for their answer now. */
    public int inFlight() {
        return inFlight.get();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = Json.tree(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String prompt = request.path("messages").path(0).path("content").asText();
            prompts.add(prompt);
            inFlight.incrementAndGet();
            try {
                released.await(delay.apply(prompt).toMillis(), TimeUnit.MILLISECONDS);
            } finally {
                inFlight.decrementAndGet();
            }
            Reply declared = reply.apply(request);
            send(exchange, declared == null ? usual(request, prompt) : declared);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Reply usual(JsonNode request, String prompt) {
        if (refused.contains(prompt)) {
            return new Reply(400, "{\"error\":{\"message\":\"Not this one\"}}", Map.of());
        }
        JsonNode messages = request.path("messages");
        String last = messages.path(messages.size() - 1).path("content").asText();
        String content = answer.apply(request.path("model").asText(), last);
        return new Reply(200, completion("\"content\": " + Json.write(content)), Map.of());
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(reply.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    private static String completion(String content) {
        return """
            {"id": "1", "model": "stub", "choices": [{"index": 0, "finish_reason": "stop",
                "message": {"role": "assistant", %s}}],
             "usage": {"prompt_tokens": 5, "completion_tokens": 10, "total_tokens": 15}}\
            """.formatted(content);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
