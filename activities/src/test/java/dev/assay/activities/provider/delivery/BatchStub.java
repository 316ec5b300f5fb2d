package dev.assay.activities.provider.delivery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.assay.activities.provider.StubProvider;
import dev.assay.activities.provider.StubProvider.Asked;
import dev.assay.domain.json.Json;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** OpenAI's batches, kept in memory, with faults that are planted for the next calls of a step. */
final class BatchStub implements AutoCloseable {

    /** What goes wrong with one call. */
    interface Fault {
        /** Done, and never answered. */
        Fault LOST = (_, _) -> {};
        /** Not done, and never answered. */
        Fault DROPPED = (_, undo) -> undo.run();

        void happen(HttpExchange exchange, Runnable undo) throws IOException, InterruptedException;

        /** Not done, and refused. */
        static Fault answering(int status, String body, String... headers) {
            return (exchange, undo) -> {
                undo.run();
                StubProvider.answer(exchange, status, body, headers);
            };
        }

        /** Done, and answered with something else. */
        static Fault saying(int status, String body, String... headers) {
            return (exchange, _) -> StubProvider.answer(exchange, status, body, headers);
        }

        /** Done, and answered after a long time. */
        static Fault late() {
            return (_, _) -> Thread.sleep(20_000);
        }
    }

    static final int PAGE = 3;

    private final StubProvider server = new StubProvider(this::answer);
    private final Map<String, Queue<Fault>> faults = new ConcurrentHashMap<>();
    final Map<String, String> files = new LinkedHashMap<>();
    final Map<String, ObjectNode> batches = new LinkedHashMap<>();
    private int next;

    BatchStub() throws IOException {}

    String url() {
        return server.url() + "/v1";
    }

    int connections() {
        return server.connections();
    }

    List<Asked> asked() {
        return server.asked();
    }

    /** Plants a fault for the next call of a step: upload, submit, status, list, content, cancel or delete. */
    void plant(String step, Fault fault) {
        faults.computeIfAbsent(step, _ -> new ConcurrentLinkedQueue<>()).add(fault);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException, InterruptedException {
        Asked asked = server.asked(exchange);
        URI uri = exchange.getRequestURI();
        String path = uri.getPath().substring("/v1".length());
        String method = exchange.getRequestMethod();
        if (path.equals("/files")) {
            String id = "file-" + ++next;
            files.put(id, part(asked.text(), "file"));
            reply(exchange, "upload", object().put("id", id), () -> files.remove(id));
        } else if (method.equals("DELETE")) {
            boolean isThere = files.remove(path.substring("/files/".length())) != null;
            reply(exchange, "delete", isThere ? object().put("deleted", true) : null, () -> {});
        } else if (path.startsWith("/files/")) {
            content(exchange, files.get(path.split("/")[2]));
        } else if (path.equals("/batches") && method.equals("POST")) {
            ObjectNode batch = submitted((ObjectNode) asked.body());
            String id = batch.get("id").textValue();
            batches.put(id, batch);
            reply(exchange, "submit", batch, () -> batches.remove(id));
        } else if (path.equals("/batches")) {
            reply(exchange, "list", page(uri.getQuery()), () -> {});
        } else {
            ObjectNode batch = batches.get(path.split("/")[2]);
            reply(exchange, path.endsWith("/cancel") ? "cancel" : "status", batch, () -> {});
        }
    }

    private ObjectNode submitted(ObjectNode body) {
        ObjectNode batch = object().put("id", "batch_" + ++next).put("status", "validating");
        batch.put("created_at", System.currentTimeMillis() / 1_000).put("expires_at", 2_000_000_000L);
        return batch.setAll(body);
    }

    /** Newest first, after the batch that {@code after} names. */
    synchronized ObjectNode page(String query) {
        Matcher after = Pattern.compile("after=([^&]+)").matcher(query);
        List<ObjectNode> all = new ArrayList<>(batches.values()).reversed();
        int from = 0;
        if (after.find()) {
            while (!all.get(from++).get("id").textValue().equals(after.group(1))) {
                // The next one.
            }
        }
        List<ObjectNode> page = all.subList(from, Math.min(all.size(), from + PAGE));
        ObjectNode list = object().put("has_more", from + PAGE < all.size());
        list.putArray("data").addAll(page);
        return list;
    }

    private void content(HttpExchange exchange, @Nullable String text) throws IOException, InterruptedException {
        Fault fault = fault("content");
        if (fault != null) {
            fault.happen(exchange, () -> {});
        } else if (text == null) {
            reply(exchange, "content", null, () -> {});
        } else {
            StubProvider.answer(exchange, 200, text);
        }
    }

    private void reply(HttpExchange exchange, String step, @Nullable JsonNode said, Runnable undo)
            throws IOException, InterruptedException {
        exchange.getResponseHeaders().set("openai-organization", "org-1");
        Fault fault = fault(step);
        if (fault != null) {
            fault.happen(exchange, undo);
        } else if (said == null) {
            StubProvider.answer(exchange, 404, "{\"error\":{\"message\":\"There is no such thing.\",\"code\":null}}");
        } else {
            StubProvider.answer(exchange, 200, Json.write(said));
        }
    }

    private @Nullable Fault fault(String step) {
        Queue<Fault> planted = faults.get(step);
        return planted == null ? null : planted.poll();
    }

    /** The content of a part of a form. */
    static String part(String form, String name) {
        String boundary = form.substring(0, form.indexOf("\r\n"));
        for (String part : form.split(Pattern.quote(boundary))) {
            int begin = part.indexOf("\r\n\r\n");
            if (begin > 0 && part.contains("name=\"" + name + "\"")) {
                return part.substring(begin + 4, part.length() - 2);
            }
        }
        throw new IllegalArgumentException("There is no part " + name);
    }

    /** Ends a batch in a state, with files that hold these lines. */
    synchronized void end(String id, String status, @Nullable String output, @Nullable String errors) {
        ObjectNode batch = batches.get(id);
        batch.put("status", status);
        batch.put("output_file_id", keep(output)).put("error_file_id", keep(errors));
    }

    private @Nullable String keep(@Nullable String lines) {
        if (lines == null) {
            return null;
        }
        String id = "file-" + ++next;
        files.put(id, lines);
        return id;
    }

    private static ObjectNode object() {
        return Json.mapper().createObjectNode();
    }

    @Override
    public void close() {
        server.close();
    }
}
