package dev.assay.activities.tool;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.assay.activities.http.LostConnection;
import dev.assay.domain.definition.Definition;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.json.Json;
import dev.assay.domain.json.StorableJson;
import dev.assay.domain.text.Excerpt;
import dev.assay.domain.text.StorableText;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolException;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.work.compute.Computed;
import dev.assay.work.compute.Computing;
import dev.assay.work.compute.DefinitionTask;
import dev.assay.work.compute.Stop;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** A session with an MCP server, for one agent loop: loops share nothing, not even a server's memory. */
final class McpSession {

    /** The SDK's own clock; that of {@link McpExchange} is earlier. */
    private static final Duration NEVER = Duration.ofDays(1);

    private static final JsonNode ANYTHING = Json.tree("{\"type\":\"object\",\"properties\":{}}");

    /** Results are not checked by a schema that a server wrote: it may be one that never comes to an end. */
    private static final JsonSchemaValidator NO_CHECK =
            (schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(null);

    private final Tool.Mcp declared;
    private final McpExchange exchange;
    private final McpAsyncClient client;
    private final McpUpdates updates = new McpUpdates();
    private final Computing computing;

    private McpSession(Tool.Mcp declared, McpExchange exchange, Computing computing) {
        this.declared = declared;
        this.exchange = exchange;
        this.computing = computing;
        this.client = McpClient.async(exchange)
                .clientInfo(McpSchema.Implementation.builder("assay", "1.0").build())
                .requestTimeout(NEVER)
                .initializationTimeout(NEVER)
                .jsonSchemaValidator(NO_CHECK)
                .progressConsumer(report -> Mono.fromRunnable(() -> updates.receive(report)))
                .build();
    }

    /**
     * Opens a session.
     *
     * @param headers of each request, with the values that their variables have by then
     * @param computing checks what the server says of its tools
     * @throws ToolboxException TOOL_UNAVAILABLE when the server does not answer
     */
    static McpSession open(
            Tool.Mcp declared,
            Supplier<Map<String, String>> headers,
            Map<String, String> environment,
            Computing computing,
            ProcessEnds ends) {
        Duration limit = declared.timeout().plus(RunnableTool.GRACE);
        McpExchange exchange = switch (declared.server()) {
            case Tool.McpServer.Http(String url, var written) -> new McpOverHttp(url, headers, limit);
            case Tool.McpServer.Stdio(List<String> command) -> new McpOverProcess(command, environment, ends, limit);
        };
        McpSession session = new McpSession(declared, exchange, computing);
        try {
            var _ = answer(session.client.initialize());
            return session;
        } catch (IOException e) {
            session.close();
            throw unavailable(declared, e);
        } catch (InterruptedException e) {
            session.close();
            Thread.currentThread().interrupt();
            throw unavailable(declared, e);
        }
    }

    /**
     * Waits for an answer.
     *
     * @throws IOException when there is none; its cause says why
     */
    private static <T> T answer(Mono<T> asked) throws IOException, InterruptedException {
        try {
            return Objects.requireNonNull(asked.toFuture().get());
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            throw new IOException(cause.getMessage(), cause);
        }
    }

    /**
     * The tools that the branch offers.
     *
     * @param queue whose turn is taken where their schemas are checked
     * @throws ToolboxException TOOL_UNAVAILABLE when the server does not say, or lacks one that the branch names
     */
    List<RunnableTool> tools(String queue) {
        List<RunnableTool> tools;
        try {
            tools = offered(listed(), queue);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(declared, e);
        } catch (IOException | RuntimeException e) {
            throw unavailable(declared, e);
        }
        Optional<String> missing = declared.only().stream()
                .filter(name ->
                        tools.stream().noneMatch(tool -> tool.spec().name().equals(name)))
                .findFirst();
        if (missing.isPresent()) {
            throw new ToolboxException(
                    ErrorCode.TOOL_UNAVAILABLE,
                    "MCP server " + declared.name() + " has no tool " + missing.get() + ", which `only` names.",
                    null);
        }
        return tools;
    }

    private List<McpSchema.Tool> listed() throws IOException, InterruptedException {
        McpListing listing = new McpListing();
        String next = McpSchema.FIRST_PAGE;
        do {
            McpSchema.ListToolsResult page = answer(client.listTools(next));
            listing.add(page);
            next = page.nextCursor();
        } while (next != null && !next.isEmpty());
        return listing.tools();
    }

    private List<RunnableTool> offered(List<McpSchema.Tool> listed, String queue) throws InterruptedException {
        List<McpSchema.Tool> wanted = listed.stream()
                .filter(tool -> declared.only().isEmpty() || declared.only().contains(tool.name()))
                .toList();
        List<JsonNode> schemas = wanted.stream().map(McpSession::schema).toList();
        List<Boolean> usable = usable(schemas, queue);
        List<RunnableTool> tools = new ArrayList<>(wanted.size());
        for (int i = 0; i < wanted.size(); i++) {
            // The server checks arguments itself; a schema that is not understood here is no reason to refuse the tool.
            tools.add(tool(wanted.get(i), usable.get(i) ? schemas.get(i) : ANYTHING));
        }
        return tools;
    }

    /** The server's schema, be it of another draft: its keywords decide. Providers refuse one without a type or properties. */
    private static JsonNode schema(McpSchema.Tool tool) {
        ObjectNode schema = Json.mapper().valueToTree(tool.inputSchema());
        schema.remove("$schema");
        schema.putIfAbsent("type", TextNode.valueOf("object"));
        schema.putIfAbsent("properties", schema.objectNode());
        return StorableJson.of(schema);
    }

    private List<Boolean> usable(List<JsonNode> schemas, String queue) throws InterruptedException {
        List<Boolean> usable = new ArrayList<>(schemas.size());
        List<Definition> definitions = schemas.stream()
                .map(schema -> new Definition(Definition.Kind.SCHEMA, Json.write(schema)))
                .toList();
        List<Computed<Optional<String>>> judged =
                definitions.isEmpty() ? List.of() : computing.run(queue, new DefinitionTask(definitions));
        for (Computed<Optional<String>> one : judged) {
            usable.add(
                    switch (one) {
                        case Computed.Done<Optional<String>>(Optional<String> problem) -> problem.isEmpty();
                        case Computed.Stopped<Optional<String>>(Stop stop) ->
                            throw new IllegalStateException(stop.sentence("The check of its tools' schemas"));
                    });
        }
        return usable;
    }

    private static ToolboxException unavailable(Tool.Mcp declared, Exception cause) {
        return new ToolboxException(
                ErrorCode.TOOL_UNAVAILABLE,
                "MCP server " + declared.name() + " does not answer: " + Excerpt.of(reason(cause), 300),
                cause);
    }

    /** The sentence of the server or of this package, where there is one. The data of the server's errors may be long. */
    private static String reason(Exception failure) {
        Throwable root = LostConnection.root(failure);
        return Objects.requireNonNullElse(root.getMessage(), root.toString());
    }

    private RunnableTool tool(McpSchema.Tool tool, JsonNode usable) {
        String description = StorableText.of(Objects.requireNonNullElse(tool.description(), tool.name()));
        return new Remote(new ToolSpec(StorableText.of(tool.name()), description, usable, false), tool.name(), this);
    }

    private String run(String name, JsonNode arguments, Consumer<String> listener) throws InterruptedException {
        String token = updates.begin(listener);
        try {
            McpSchema.CallToolResult result = answer(client.callTool(new McpSchema.CallToolRequest(
                    name,
                    Json.mapper().convertValue(arguments, new TypeReference<>() {}),
                    Map.of("progressToken", token))));
            String text = McpResult.text(result);
            if (McpResult.isError(result)) {
                throw new ToolException(text.isEmpty() ? "The tool failed." : text);
            }
            return text;
        } catch (IOException e) {
            String reason = Excerpt.of(reason(e), 2_000);
            throw new ToolException(
                    reason.equals(McpExchange.TIMED_OUT) ? reason + "." : "The MCP server failed: " + reason, e);
        } finally {
            updates.end(token);
        }
    }

    /** The client holds nothing but calls, and these end with the exchange. */
    void close() {
        exchange.end();
    }

    /** A tool of the server. */
    private record Remote(ToolSpec spec, String name, McpSession session) implements RunnableTool {

        @Override
        public Duration timeout() {
            return session.declared.timeout();
        }

        @Override
        public boolean idempotent() {
            return session.declared.idempotent();
        }

        @Override
        public String run(JsonNode arguments, Consumer<String> updates) throws InterruptedException {
            return session.run(name, arguments, updates);
        }
    }
}
