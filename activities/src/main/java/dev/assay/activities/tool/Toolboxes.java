package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.domain.tool.Headers;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.tool.Toolset;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Opens the tools of branches, as far as the operator of this worker allows them. */
public final class Toolboxes implements AutoCloseable {

    private final ToolPolicy policy;
    private final Map<String, String> environment;
    private final ToolHttp http = new ToolHttp();

    /**
     * @param environment where the values of variables are found
     */
    public Toolboxes(ToolPolicy policy, Map<String, String> environment) {
        this.policy = policy;
        this.environment = Map.copyOf(environment);
    }

    /** What tools may reach. */
    public ToolPolicy policy() {
        return policy;
    }

    /**
     * Opens {@code toolset}.
     *
     * @param caseTime the time that the case says it is
     * @throws ToolboxException TOOL_NOT_ALLOWED when the operator does not allow a tool; TOOL_UNAVAILABLE when a server does
     *     not answer
     */
    public Toolbox open(Toolset toolset, Supplier<Instant> caseTime) {
        if (toolset.isEmpty()) {
            return Toolbox.EMPTY;
        }
        List<RunnableTool> tools = new ArrayList<>();
        for (Tool tool : toolset.tools()) {
            switch (tool) {
                case Tool.BuiltIn(BuiltInTool builtIn, Duration timeout) ->
                    tools.add(new Own(builtIn.spec(), builtIn, timeout, caseTime));
                case Tool.Http declared -> tools.add(new HttpTool(declared, http, policy, headers(declared)));
                case Tool.Mcp mcp -> throw notAllowed(mcp.name(), "MCP servers are not known here");
            }
        }
        return new Toolbox(tools, List.of());
    }

    private Map<String, String> headers(Tool.Http tool) {
        return headers(
                tool.spec().name(),
                tool.request().url().sample(),
                tool.request().headers());
    }

    /** The headers with the values of their variables, which are known only for addresses that the operator allows. */
    private Map<String, String> headers(String tool, URI address, Map<String, String> written) {
        ToolPolicy.Address allowed = policy.covering(address)
                .orElseThrow(() -> notAllowed(tool, address.getHost() + " is not among its addresses"));
        Map<String, String> filled = new java.util.TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        written.forEach((name, value) ->
                filled.put(name, Headers.fill(value, variable -> variable(tool, allowed, variable))));
        return filled;
    }

    private String variable(String tool, ToolPolicy.Address address, String name) {
        String variable = address.variables().get(name);
        String value = variable == null ? null : environment.get(variable);
        if (value == null) {
            throw notAllowed(
                    tool,
                    variable == null ? "it has no variable " + name + " for the address" : variable + " is not set");
        }
        return value;
    }

    private static ToolboxException notAllowed(String tool, String reason) {
        return new ToolboxException(
                ErrorCode.TOOL_NOT_ALLOWED,
                "This worker does not allow tool " + tool + ": " + reason + "; see tools.yaml of the worker.",
                null);
    }

    @Override
    public void close() {
        http.close();
    }

    /** A tool of Assay itself. */
    private record Own(ToolSpec spec, BuiltInTool tool, Duration timeout, Supplier<Instant> caseTime)
            implements RunnableTool {

        @Override
        public boolean idempotent() {
            return true;
        }

        @Override
        public String run(JsonNode arguments) {
            return tool.run(arguments, tool == BuiltInTool.CURRENT_TIME ? caseTime.get() : Instant.EPOCH);
        }
    }
}
