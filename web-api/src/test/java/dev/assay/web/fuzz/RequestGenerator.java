package dev.assay.web.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import dev.assay.store.SampleCampaign;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes requests to every address of an OpenAPI document: parameters, headers and bodies, mostly wrong. */
final class RequestGenerator {

    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json",
            "application/json",
            "application/yaml",
            "text/yaml",
            "application/x-yaml");

    private static final List<String> ODD_TYPES = List.of(
            "application/json; charset=none-such",
            "application/json; charset=\"",
            "application/yaml;charset=utf-16",
            "garbage",
            "/",
            "application/",
            ";;;",
            "text/csv",
            "multipart/form-data",
            "multipart/form-data; boundary=x",
            "application/x-www-form-urlencoded",
            "\u00ff/\u00fe");

    private final Random random;
    private final List<Operation> operations;
    private final List<String> ids;
    private final HostileText hostile;

    /** An address with a method, and the names of what it takes. */
    record Operation(String method, String path, List<String> query, List<String> headers, boolean hasBody) {}

    /**
     * A request.
     *
     * @param name says in a failure what it was
     */
    record Request(String name, byte[] bytes) {}

    RequestGenerator(long seed, JsonNode openApi, List<String> ids, int largest) {
        this.random = new Random(seed);
        this.operations = operations(openApi);
        this.ids = ids;
        this.hostile = new HostileText(random, largest);
    }

    List<Operation> operations() {
        return operations;
    }

    private static List<Operation> operations(JsonNode openApi) {
        List<Operation> all = new ArrayList<>();
        for (Map.Entry<String, JsonNode> path : openApi.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                JsonNode operation = method.getValue();
                all.add(new Operation(
                        method.getKey().toUpperCase(java.util.Locale.ROOT),
                        path.getKey(),
                        names(operation, "query"),
                        names(operation, "header"),
                        operation.has("requestBody")));
            }
        }
        return all;
    }

    private static List<String> names(JsonNode operation, String in) {
        List<String> names = new ArrayList<>();
        operation.path("parameters").forEach(parameter -> {
            if (parameter.path("in").asText().equals(in)) {
                names.add(parameter.path("name").asText());
            }
        });
        return names;
    }

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** Request number {@code number}: each address has its turn. */
    Request request(int number) {
        Operation operation = operations.get(number % operations.size());
        StringBuilder path = new StringBuilder();
        for (String step : operation.path().split("(?=/)")) {
            path.append(step.startsWith("/{") ? "/" + pathValue(step) : step);
        }
        String method =
                oneIn(50) ? any(List.of("DELETE", "PUT", "HEAD", "OPTIONS", "TRACE", "GET")) : operation.method();
        StringBuilder head =
                new StringBuilder(method + " " + path + query(operation) + " HTTP/1.1\r\nHost: localhost\r\n");
        head.append("Connection: close\r\n");
        headers(operation, head);
        byte[] body = operation.hasBody() || oneIn(20) ? body(operation, head) : new byte[0];
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = java.util.Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return new Request(number + ": " + excerpt(start) + excerpt(body), all);
    }

    private static String excerpt(byte[] text) {
        return new String(text, 0, Math.min(400, text.length), StandardCharsets.ISO_8859_1);
    }

    private String pathValue(String step) {
        if (step.equals("/{id}") && !oneIn(4)) {
            return any(ids);
        }
        return switch (step) {
            case "/{trial}" -> oneIn(2) ? "1" : hostile.parameter();
            case "/{caseId}" -> oneIn(2) ? "case-0" : hostile.parameter();
            case "/{branchId}" -> oneIn(2) ? "branch-0" : hostile.parameter();
            default -> hostile.parameter();
        };
    }

    private String query(Operation operation) {
        StringBuilder query = new StringBuilder();
        for (String name : operation.query()) {
            if (!oneIn(3)) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(queryValue(name));
            }
        }
        if (oneIn(10)) {
            query.append(query.isEmpty() ? '?' : '&')
                    .append(hostile.parameter())
                    .append('=')
                    .append(hostile.parameter());
        }
        return query.toString();
    }

    private String queryValue(String name) {
        return switch (name) {
            case "wait" ->
                any(List.of(
                        "0s",
                        "200ms",
                        "1s",
                        "-1s",
                        "11m",
                        "PT1S",
                        "1",
                        "soon",
                        "99999999999999999999s",
                        hostile.parameter()));
            case "pageToken" -> oneIn(2) ? hostile.pageToken() : hostile.parameter();
            default -> any(List.of("1", "0", "true", "RUNNING", "COMPLETED", "TRUE", "-1", "1e9", hostile.parameter()));
        };
    }

    private void headers(Operation operation, StringBuilder head) {
        for (String name : operation.headers()) {
            if (oneIn(2)) {
                head.append(name).append(": ").append(hostile.header()).append("\r\n");
            }
        }
        for (String name : List.of(
                "X-Request-Id", "Accept", "Last-Event-ID", "Idempotency-Key", "Accept-Language", "Cookie", "Origin")) {
            if (oneIn(12)) {
                head.append(name).append(": ").append(hostile.header()).append("\r\n");
            }
        }
    }

    private byte[] body(Operation operation, StringBuilder head) {
        byte[] body = switch (random.nextInt(4)) {
            case 0 -> hostile.body();
            case 1 -> new byte[0];
            default -> mutated(operation).getBytes(StandardCharsets.UTF_8);
        };
        if (!oneIn(20)) {
            head.append("Content-Type: ")
                    .append(oneIn(8) ? any(ODD_TYPES) : any(TYPES))
                    .append("\r\n");
        }
        if (oneIn(40)) {
            head.append("Content-Encoding: ")
                    .append(any(List.of("gzip", "deflate", "br", "none")))
                    .append("\r\n");
        }
        head.append("Content-Length: ").append(body.length).append("\r\n");
        return body;
    }

    private String mutated(Operation operation) {
        ObjectNode document = seed(operation.path());
        for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
            mutate(document);
        }
        return document.toString();
    }

    private ObjectNode seed(String path) {
        String text = path.endsWith("/campaigns")
                ? new SampleCampaign("fuzz", 2, 2, 1).document().toString()
                : path.endsWith("/preview")
                        ? "{\"query\": \"Q\", \"responses\": [\"A\", \"B\"], \"priorContext\": \"\","
                                + " \"maxContextTokens\": 5}"
                        : path.endsWith("/rerun")
                                ? "{\"only\": \"failed\", \"cases\": [\"a\"], \"branches\": [\"b\"]}"
                                : path.endsWith("/cancel")
                                        ? "{\"branch\": \"a\"}"
                                        : path.endsWith("/continue") || path.endsWith("/evaluations")
                                                ? "{\"prompts\": [\"Why?\"], \"branches\": [{\"provider\": \"openai\","
                                                        + " \"model\": \"m\"}]}"
                                                : "{\"maxConcurrent\": 2, \"budgetUsd\": 20, \"trials\": 2}";
        return (ObjectNode) Json.tree(text);
    }

    /** Puts something odd at a random place. */
    private void mutate(JsonNode node) {
        switch (node) {
            case ObjectNode object
            when !object.isEmpty() -> {
                List<String> names = new ArrayList<>();
                object.fieldNames().forEachRemaining(names::add);
                String name = any(names);
                if (object.get(name).isContainerNode() && !object.get(name).isEmpty() && !oneIn(3)) {
                    mutate(object.get(name));
                } else if (oneIn(3)) {
                    object.set(oneIn(2) ? "" : hostile.text(), hostile.value());
                } else {
                    object.set(name, hostile.value());
                }
            }
            case ArrayNode array
            when !array.isEmpty() -> {
                int index = random.nextInt(array.size());
                if (array.get(index).isContainerNode() && !array.get(index).isEmpty() && !oneIn(3)) {
                    mutate(array.get(index));
                } else {
                    array.set(index, hostile.value());
                }
            }
            default -> {}
        }
    }
}
