package dev.assay.cli.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A provider with batches, as OpenAI has them, that counts what it accepted. A live call and a line cost one cent an output token, and
 * each answer has ten of them; by batch it is half of that. As the provider {@code batched} it is polled each second.
 */
public final class StubBatches implements AutoCloseable {

    private static final String BODY_OF_ANSWER = """
        {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": "Paris"}}], "usage": {"prompt_tokens": 5, "completion_tokens": 10,
        "total_tokens": 15}}\
        """;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, String> files = new HashMap<>();
    private final Map<String, Batch> batches = new LinkedHashMap<>();
    private final List<String> live = new CopyOnWriteArrayList<>();
    private final List<String> liveBodies = new CopyOnWriteArrayList<>();
    private final List<String> accepted = new ArrayList<>();
    private Function<String, Duration> takes = prompt -> Duration.ZERO;
    private @Nullable String lose;
    private volatile @Nullable Hold hold;
    private int number;
    private int submissions;

    /** Keys of submissions, in their order. */
    private final List<String> keys = new CopyOnWriteArrayList<>();

    /** How long a request is kept without a word by the fault {@code hang}. */
    private Duration hang = Duration.ofSeconds(2);

    private final List<Fault> faults = new CopyOnWriteArrayList<>();

    /** Whose results a file has. */
    private final Map<String, Batch> results = new HashMap<>();

    private Function<String, String> says = prompt -> "Paris";

    /** How the line of a body ends: a status, {@code expired}, or nothing, where it has no line. */
    private Function<String, String> ends = body -> "200";

    private static final class Batch {
        private final String id;
        private final String account;
        private final String file;
        private final JsonNode metadata;
        private final Instant created = Instant.now();
        private final List<JsonNode> lines = new ArrayList<>();
        private @Nullable String results;
        private boolean isCancelled;

        private Batch(String id, String account, String file, JsonNode metadata) {
            this.id = id;
            this.account = account;
            this.file = file;
            this.metadata = metadata;
        }
    }

    public StubBatches() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Makes the provider {@code batched} known to a server on this data directory. */
    public void writeProviders(Path dataDirectory, String batches) throws IOException {
        Files.createDirectories(dataDirectory);
        Files.writeString(dataDirectory.resolve("providers.yaml"), "providers:\n" + provider(batches));
    }

    /** The provider {@code batched} as it stands among others in their file. */
    public String provider(String batches) {
        return """
            batched:
              type: openai
              baseUrl: http://127.0.0.1:%d/v1
              keyless: true
              maxOutputTokens: 10
              batches: %s
              prices: {"*": {input: 0, output: 10000}}
            """.formatted(server.getAddress().getPort(), batches).indent(2);
    }

    /**
     * Makes the provider {@code batched} known to a server on this data directory, with keys. An account is the word of a key before
     * its first dot; what another account has is not there.
     *
     * @param keys how the file names them
     */
    public void writeKeyed(Path dataDirectory, String keys) throws IOException {
        Files.createDirectories(dataDirectory);
        Files.writeString(
                dataDirectory.resolve("providers.yaml"),
                "providers:\n" + provider("{poll: 1s}").replace("keyless: true", keys));
    }

    /** How long a batch takes. */
    public synchronized void takes(Duration time) {
        takesBy(prompt -> time);
    }

    /** How long a batch takes, by the prompt of its first line. */
    public synchronized void takesBy(Function<String, Duration> time) {
        takes = time;
    }

    /** How the line of each prompt ends: an HTTP status, {@code expired}, or empty, where it has no line. */
    public synchronized void endBy(Function<String, String> next) {
        ends = next;
    }

    /** What it answers to each prompt. */
    public synchronized void say(Function<String, String> next) {
        says = next;
    }

    private JsonNode said(String prompt) {
        JsonNode body = Json.tree(BODY_OF_ANSWER);
        if (body.at("/choices/0/message") instanceof ObjectNode message) {
            message.put("content", says.apply(prompt));
        }
        return body;
    }

    /** Does what is asked for next at this step, and closes the connection without a reply: upload, submit or none. */
    public synchronized void loseReplyOf(@Nullable String step) {
        lose = step;
    }

    /**
     * What happens instead of a good answer, once.
     *
     * @param name the first word of the prompts that it meets; empty: any, as for lists, which name none
     * @param step upload, submit, list, poll, cancel or results
     * @param what {@code lose}: done, and no reply; {@code drop}: not done, and no reply; {@code hang}: the same after some time; a
     *     status: not done
     */
    public record Fault(String name, String step, String what) {}

    /** Plants faults. */
    public void plant(List<Fault> more) {
        faults.addAll(more);
    }

    /** Faults that nothing has met. */
    public List<Fault> planted() {
        return List.copyOf(faults);
    }

    /** Takes out the faults that nothing has met. */
    public void mend() {
        faults.clear();
    }

    /** How long the fault {@code hang} keeps a request. */
    public synchronized void hangs(Duration time) {
        hang = time;
    }

    /** A place at which it stands still, until it is released. */
    private record Hold(String at, CountDownLatch reached, CountDownLatch released) {}

    /**
     * Stands still once it comes to a place: {@code upload}, {@code list}, {@code submit}, {@code status}, {@code content} or
     * {@code delete}; {@code uploaded} and {@code submitted} have been done by then, and {@code content} is half sent.
     */
    public void holdAt(String place) {
        hold = new Hold(place, new CountDownLatch(1), new CountDownLatch(1));
    }

    /** Waits until it stands still. */
    public boolean isReached(Duration most) throws InterruptedException {
        Hold held = hold;
        return held != null && held.reached().await(most.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Goes on; whoever asked is gone. */
    public void release() {
        Hold held = hold;
        hold = null;
        if (held != null) {
            held.released().countDown();
        }
    }

    private void passes(String place) {
        Hold held = hold;
        if (held == null || !held.at().equals(place)) {
            return;
        }
        held.reached().countDown();
        try {
            held.released().await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new Lost();
    }

    /** The place of a request before it is done; empty: none. */
    private static String place(String method, String path) {
        if (path.endsWith("/content") || path.endsWith("/completions")) {
            return "";
        }
        if (path.contains("/files")) {
            return method.equals("POST") ? "upload" : "delete";
        }
        return path.endsWith("/batches") ? method.equals("POST") ? "submit" : "list" : "status";
    }

    /** Prompts of live calls. */
    public List<String> live() {
        return List.copyOf(live);
    }

    /** Bodies of live calls. */
    public List<String> liveBodies() {
        return List.copyOf(liveBodies);
    }

    /** Bodies of all lines of all batches that were accepted. */
    public synchronized List<String> accepted() {
        return List.copyOf(accepted);
    }

    /** Accepted batches. */
    public synchronized int batches() {
        return batches.size();
    }

    /** Submissions, accepted or not. */
    public synchronized int submissions() {
        return submissions;
    }

    /** The keys of submissions that came, in their order. */
    public List<String> keys() {
        return List.copyOf(keys);
    }

    /** Files that lie there. */
    public synchronized int files() {
        return files.size();
    }

    private void answer(HttpExchange exchange) throws IOException {
        byte[] sent = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        try {
            if (place(method, path).equals("submit")) {
                keys.add(key(exchange));
            }
            passes(place(method, path));
            Fault fault = fault(method, path, new String(sent, StandardCharsets.UTF_8));
            if (fault != null && !fault.what().equals("lose")) {
                refuse(exchange, fault);
                return;
            }
            String account = account(exchange);
            exchange.getResponseHeaders().set("openai-organization", account);
            Object reply = reply(account, method, path, new String(sent, StandardCharsets.UTF_8));
            String done = place(method, path);
            passes(done.equals("upload") ? "uploaded" : done.equals("submit") ? "submitted" : "");
            if (fault != null) {
                throw new Lost();
            }
            byte[] body = reply instanceof String text
                    ? text.getBytes(StandardCharsets.UTF_8)
                    : Json.write(reply).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            if (path.endsWith("/content")) {
                exchange.getResponseBody().write(body, 0, body.length / 2);
                exchange.getResponseBody().flush();
                passes("content");
                exchange.getResponseBody().write(body, body.length / 2, body.length - body.length / 2);
            } else {
                exchange.getResponseBody().write(body);
            }
        } catch (Lost e) {
            // The connection is closed without a reply.
        } catch (Missing e) {
            byte[] body = "{\"error\": {\"message\": \"There is no such thing\", \"type\": \"invalid_request_error\"}}"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(404, body.length);
            exchange.getResponseBody().write(body);
        } finally {
            exchange.close();
        }
    }

    private void refuse(HttpExchange exchange, Fault fault) throws IOException {
        switch (fault.what()) {
            case "drop" -> throw new Lost();
            case "hang" -> {
                try {
                    Thread.sleep(hang);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                throw new Lost();
            }
            default -> {
                byte[] body = "{\"error\": {\"message\": \"A planted fault\", \"type\": \"server_error\"}}"
                        .getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(Integer.parseInt(fault.what()), body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    /** The fault that a request meets, and which is gone with it; null: none. */
    private synchronized @Nullable Fault fault(String method, String path, String sent) {
        String step = path.endsWith("/cancel")
                ? "cancel"
                : path.endsWith("/content") ? "results" : place(method, path).replace("status", "poll");
        String name = owner(method, path, sent);
        return faults.stream()
                .filter(one -> one.step().equals(step)
                        && (one.name().isEmpty() || one.name().equals(name)))
                .findFirst()
                .filter(faults::remove)
                .orElse(null);
    }

    /** The first word of the prompts that a request is about; empty: of none. */
    private String owner(String method, String path, String sent) {
        String[] parts = path.split("/");
        String id = parts.length > 3 ? parts[3] : "";
        Batch batch = path.endsWith("/content") ? results.get(id) : batches.get(id);
        if (batch != null) {
            return owner(batch.lines.getFirst());
        }
        if (!method.equals("POST")) {
            return "";
        }
        String content = path.endsWith("/files")
                ? linesOf(sent)
                : path.endsWith("/batches")
                        ? files.getOrDefault(
                                Json.tree(sent).path("input_file_id").asText(), "")
                        : "";
        return content.isEmpty() ? "" : owner(Json.tree(content.substring(0, content.indexOf('\n'))));
    }

    private static String owner(JsonNode line) {
        return prompt(line.path("body")).split(" ")[0];
    }

    private static final class Lost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class Missing extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static String account(HttpExchange exchange) {
        return key(exchange).split("\\.")[0];
    }

    private static String key(HttpExchange exchange) {
        String key = exchange.getRequestHeaders().getFirst("Authorization");
        return key == null ? "" : key.replace("Bearer ", "");
    }

    private synchronized Object reply(String account, String method, String path, String sent) {
        if (path.endsWith("/chat/completions")) {
            String prompt = prompt(Json.tree(sent));
            live.add(prompt);
            liveBodies.add(sent);
            return said(prompt);
        }
        String[] parts = path.split("/");
        String what = parts[2];
        String id = parts.length > 3 ? parts[3] : null;
        if (what.equals("files")) {
            return id == null ? upload(sent) : file(method, id, path.endsWith("/content"));
        }
        if (id == null) {
            return method.equals("POST") ? submit(account, Json.tree(sent)) : list(account);
        }
        Batch batch = batches.get(id);
        if (batch == null || !batch.account.equals(account)) {
            throw new Missing();
        }
        batch.isCancelled |= path.endsWith("/cancel");
        return shown(batch);
    }

    private static String prompt(JsonNode body) {
        return body.path("messages")
                .path(body.path("messages").size() - 1)
                .path("content")
                .asText();
    }

    private Object upload(String sent) {
        String id = "file-" + ++number;
        files.put(id, linesOf(sent));
        losing("upload");
        return Map.of("id", id, "object", "file");
    }

    /** The lines in an upload. */
    private static String linesOf(String sent) {
        return sent.substring(sent.indexOf("{\"custom_id\""), sent.lastIndexOf("}\n") + 2);
    }

    private Object file(String method, String id, boolean isContent) {
        String content = files.get(id);
        if (content == null) {
            throw new Missing();
        }
        if (method.equals("DELETE")) {
            files.remove(id);
            return Map.of("id", id, "deleted", true);
        }
        return isContent ? content : Map.of("id", id, "object", "file");
    }

    private Object submit(String account, JsonNode asked) {
        submissions++;
        String file = asked.path("input_file_id").asText();
        String content = files.get(file);
        if (content == null) {
            throw new Missing();
        }
        Batch batch = new Batch("batch-" + ++number, account, file, asked.path("metadata"));
        for (String line : content.split("\n")) {
            JsonNode item = Json.tree(line);
            batch.lines.add(item);
            accepted.add(item.path("body").toString());
        }
        batches.put(batch.id, batch);
        losing("submit");
        return shown(batch);
    }

    private void losing(String step) {
        if (step.equals(lose)) {
            lose = null;
            throw new Lost();
        }
    }

    private Object list(String account) {
        ObjectNode page = Json.mapper().createObjectNode().put("object", "list").put("has_more", false);
        ArrayNode data = page.putArray("data");
        List<Batch> all = new ArrayList<>(batches.values());
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).account.equals(account)) {
                data.add(shown(all.get(i)));
            }
        }
        return page;
    }

    private ObjectNode shown(Batch batch) {
        boolean isOver = batch.isCancelled
                || !Instant.now()
                        .isBefore(batch.created.plus(
                                takes.apply(prompt(batch.lines.getFirst().path("body")))));
        if (isOver && batch.results == null) {
            batch.results = "file-" + ++number;
            files.put(batch.results, results(batch));
            results.put(batch.results, batch);
        }
        ObjectNode shown = Json.mapper().createObjectNode();
        shown.put("id", batch.id).put("object", "batch").put("endpoint", "/v1/chat/completions");
        shown.put("input_file_id", batch.file);
        shown.put("status", !isOver ? "in_progress" : batch.isCancelled ? "cancelled" : "completed");
        shown.put("created_at", batch.created.getEpochSecond());
        shown.put("expires_at", batch.created.plus(Duration.ofDays(1)).getEpochSecond());
        shown.set("metadata", batch.metadata);
        shown.putNull("errors");
        shown.put("output_file_id", batch.results);
        shown.putNull("error_file_id");
        shown.putObject("request_counts")
                .put("total", batch.lines.size())
                .put("completed", isOver ? batch.lines.size() : 0)
                .put("failed", 0);
        return shown;
    }

    private String results(Batch batch) {
        StringBuilder text = new StringBuilder();
        for (JsonNode line : batch.lines) {
            String end = batch.isCancelled ? "cancelled" : ends.apply(prompt(line.path("body")));
            if (!end.isEmpty()) {
                ObjectNode result = Json.mapper().createObjectNode();
                result.put("id", "r").set("custom_id", line.path("custom_id"));
                switch (end) {
                    case "expired", "cancelled" ->
                        result.putObject("error").put("code", "batch_" + end).put("message", "It was not reached.");
                    case "200" ->
                        result.putObject("response")
                                .put("status_code", 200)
                                .set("body", said(prompt(line.path("body"))));
                    default ->
                        result.putObject("response")
                                .put("status_code", Integer.parseInt(end))
                                .putObject("body")
                                .putObject("error")
                                .put("message", "It failed.")
                                .put("type", "some_error");
                }
                text.append(result).append('\n');
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
