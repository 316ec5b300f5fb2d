package dev.assay.domain.tool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.json.JsonNumbers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The writer of tools in the words of the campaign file. */
public final class ToolWriter {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ToolWriter() {}

    /** The document that {@link ToolReader} reads back. */
    public static ArrayNode write(List<Tool> tools) {
        ArrayNode written = NODES.arrayNode();
        tools.forEach(tool -> written.add(write(tool)));
        return written;
    }

    /** Their length as JSON, in UTF-16 code units. */
    public static int length(List<Tool> tools) {
        return tools.isEmpty() ? 0 : write(tools).toString().length();
    }

    private static ObjectNode write(Tool tool) {
        ObjectNode node = NODES.objectNode();
        switch (tool) {
            case Tool.BuiltIn builtIn -> node.put("type", builtIn.tool().word());
            case Tool.Http http -> {
                node.put("type", ToolReader.HTTP);
                node.put("name", http.spec().name());
                node.put("description", http.spec().description());
                node.put("method", http.request().method());
                node.put("url", http.request().url().text());
                putHeaders(node, http.request().headers());
                if (http.request().body() != null) {
                    node.put("body", http.request().body());
                }
                node.set("parameters", http.spec().parameters());
                node.put("idempotent", http.idempotent());
            }
            case Tool.Mcp mcp -> {
                node.put("type", ToolReader.MCP);
                node.put("name", mcp.name());
                switch (mcp.server()) {
                    case Tool.McpServer.Http(String url, Map<String, String> headers) -> {
                        node.put("transport", ToolReader.HTTP);
                        node.put("url", url);
                        putHeaders(node, headers);
                    }
                    case Tool.McpServer.Stdio(List<String> command) -> {
                        node.put("transport", ToolReader.STDIO);
                        command.forEach(node.putArray("command")::add);
                    }
                }
                mcp.only().forEach(node.withArray("only")::add);
                node.put("idempotent", mcp.idempotent());
            }
        }
        node.set(
                "timeoutSeconds",
                JsonNumbers.node(BigDecimal.valueOf(tool.timeout().toMillis(), 3)));
        return node;
    }

    private static void putHeaders(ObjectNode node, Map<String, String> headers) {
        ObjectNode written = NODES.objectNode();
        new TreeMap<>(headers).forEach(written::put);
        if (!written.isEmpty()) {
            node.set("headers", written);
        }
    }
}
