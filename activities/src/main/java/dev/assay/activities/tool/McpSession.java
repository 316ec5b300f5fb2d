package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A session with an MCP server, for one agent loop: loops share nothing, not even a server's memory. */
final class McpSession {

    private static final Logger LOG = LoggerFactory.getLogger(McpSession.class);

    /** The time for a server to start and to list its tools; the first start of a package manager's command is slow. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final String TIMED_OUT = "The MCP server did not answer in time";

    private static final JsonNode ANYTHING = Json.tree("{\"type\":\"object\"}");

    private final Tool.Mcp declared;
    private final McpClient client;
    private final Computing computing;

    private McpSession(Tool.Mcp declared, McpClient client, Computing computing) {
        this.declared = declared;
        this.client = client;
        this.computing = computing;
    }

    /**
     * Opens a session.
     *
     * @param headers of each request, with the values that their variables have by then
     * @param environment what a started process sees
     * @param computing checks what the server says of its tools
     * @param ends ends a started process
     * @throws ToolboxException TOOL_UNAVAILABLE when the server does not answer
     */
    static McpSession open(
            Tool.Mcp declared,
            Supplier<Map<String, String>> headers,
            Map<String, String> environment,
            Computing computing,
            ProcessEnds ends) {
        McpTransport transport = switch (declared.server()) {
            case Tool.McpServer.Http(String url, var written) ->
                new McpOverHttp(url, headers, declared.timeout().plus(RunnableTool.GRACE));
            case Tool.McpServer.Stdio(List<String> command) -> new McpOverProcess(command, environment, ends);
        };
        McpUpdates updates = new McpUpdates();
        try {
            return new McpSession(
                    declared,
                    DefaultMcpClient.builder()
                            .transport(transport)
                            .clientName("assay")
                            .initializationTimeout(START)
                            .toolExecutionTimeout(declared.timeout().plus(RunnableTool.GRACE))
                            .toolExecutionTimeoutErrorMessage(TIMED_OUT)
                            .autoHealthCheck(false)
                            .addListener(updates)
                            .progressHandler(updates)
                            .build(),
                    computing);
        } catch (RuntimeException e) {
            closeQuietly(declared, transport);
            throw unavailable(declared, e);
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
            tools = offered(client.listTools(), queue);
        } catch (StackOverflowError e) {
            throw unavailable(declared, new IllegalStateException("A schema of its tools is nested too deeply", e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(declared, e);
        } catch (RuntimeException e) {
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

    private List<RunnableTool> offered(List<ToolSpecification> listed, String queue) throws InterruptedException {
        List<ToolSpecification> wanted = listed.stream()
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

    private static JsonNode schema(ToolSpecification tool) {
        return tool.parameters() == null
                ? ANYTHING
                : StorableJson.of(Json.mapper().valueToTree(JsonSchemaElementUtils.toMap(tool.parameters())));
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
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new ToolboxException(
                ErrorCode.TOOL_UNAVAILABLE,
                "MCP server " + declared.name() + " does not answer: " + Excerpt.of(String.valueOf(root), 300),
                cause);
    }

    private RunnableTool tool(ToolSpecification tool, JsonNode usable) {
        String description = StorableText.of(Objects.requireNonNullElse(tool.description(), tool.name()));
        return new Remote(new ToolSpec(StorableText.of(tool.name()), description, usable, false), tool.name(), this);
    }

    private String run(String name, JsonNode arguments, Consumer<String> updates) {
        ToolExecutionRequest request = ToolExecutionRequest.builder()
                .id(name)
                .name(name)
                .arguments(arguments.toString())
                .build();
        ToolExecutionResult result;
        try {
            result = client.executeTool(request, McpUpdates.toldTo(updates));
        } catch (ToolExecutionException e) {
            // The tool itself says that it failed.
            throw new ToolException(Objects.requireNonNullElse(e.getMessage(), "The tool failed."), e);
        } catch (RuntimeException e) {
            throw new ToolException("The MCP server failed: " + Excerpt.of(String.valueOf(e.getMessage()), 2_000), e);
        }
        String text = Objects.requireNonNullElse(result.resultText(), "");
        if (text.equals(TIMED_OUT)) {
            throw new ToolException(TIMED_OUT + ".");
        }
        return text;
    }

    void close() {
        closeQuietly(declared, client);
    }

    private static void closeQuietly(Tool.Mcp declared, AutoCloseable session) {
        try {
            session.close();
        } catch (Exception e) {
            LOG.warn("The session with MCP server {} did not end well", declared.name(), e);
        }
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
        public String run(JsonNode arguments, Consumer<String> updates) {
            return session.run(name, arguments, updates);
        }
    }
}
