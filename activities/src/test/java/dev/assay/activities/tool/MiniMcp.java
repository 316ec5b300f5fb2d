package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The least that is an MCP server: tools {@code greet}, {@code broken} and {@code environment}. */
public final class MiniMcp {

    private MiniMcp() {}

    /** Speaks over standard input and output. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            answer(line).ifPresent(System.out::println);
        }
    }

    /** The answer to a request; empty for a notification. */
    public static Optional<String> answer(String request) {
        JsonNode asked = Json.tree(request);
        if (!asked.has("id")) {
            return Optional.empty();
        }
        ObjectNode answer = Json.mapper().createObjectNode().put("jsonrpc", "2.0");
        answer.set("id", asked.get("id"));
        answer.set("result", result(asked.path("method").asText(), asked.path("params")));
        return Optional.of(answer.toString());
    }

    private static JsonNode result(String method, JsonNode params) {
        return switch (method) {
            case "initialize" ->
                Json.tree("""
                    {"protocolVersion":"%s","capabilities":{"tools":{}},"serverInfo":{"name":"mini","version":"1"}}\
                    """.formatted(params.path("protocolVersion").asText("2025-06-18")));
            case "tools/list" -> Json.tree("""
                {"tools":[
                {"name":"greet","description":"Greets.","inputSchema":{"type":"object","required":["name"],
                "properties":{"name":{"type":"string"}}}},
                {"name":"broken","inputSchema":{"type":"object"}},
                {"name":"environment","inputSchema":{"type":"object"}},
                {"name":"long","description":"nothing: \\u0000","inputSchema":{"type":"object"}}]}\
                """);
            case "tools/call" ->
                switch (params.path("name").asText()) {
                    case "greet" ->
                        text("Hello " + params.path("arguments").path("name").asText(), false);
                    case "long" -> text("x".repeat(3 * 1024 * 1024), false);
                    case "environment" -> text(Json.write(new TreeMap<>(environment()).keySet()), false);
                    default -> text("It is broken.", true);
                };
            default -> Json.tree("{}");
        };
    }

    private static Map<String, String> environment() {
        return System.getenv();
    }

    private static JsonNode text(String text, boolean isError) {
        ObjectNode result = Json.mapper().createObjectNode().put("isError", isError);
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }
}
