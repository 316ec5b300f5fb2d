package dev.assay.activities.tool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.http.WholeAnswers;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.BuiltInTool;
import dev.assay.domain.tool.Headers;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.ToolPolicy;
import dev.assay.domain.tool.ToolSpec;
import dev.assay.domain.tool.Toolset;
import dev.assay.work.compute.Computing;
import dev.assay.work.secret.SecretVariables;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tools of branches, as far as the operator of this worker allows them. */
public final class Toolboxes implements AutoCloseable {

    /** The variables of the worker's environment that a started process sees. */
    private static final Set<String> PASSED_ON = Set.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TMPDIR", "TZ");

    private static final String NO_HEADER = " is empty or holds a character that no header can, such as a line break";

    private final ToolPolicy policy;
    private final SecretVariables variables;
    private final Computing computing;
    private final ProcessEnds ends = new ProcessEnds();
    private final WholeAnswers http = new WholeAnswers(HttpTool.MAX_BODY_BYTES);

    /** Those of a process with {@code environment}. */
    public Toolboxes(ToolPolicy policy, Map<String, String> environment, Computing computing) {
        this(policy, SecretVariables.of(environment), computing);
    }

    /**
     * @param variables where the values of variables are found
     * @param computing checks what servers say of their tools
     * @throws AssayException INVALID_INPUT when the file of a variable that {@code policy} names cannot be read
     */
    public Toolboxes(ToolPolicy policy, SecretVariables variables, Computing computing) {
        this.policy = policy;
        this.computing = computing;
        this.variables = variables;
        policy.variables().forEach(variables::value);
        policy.addresses().forEach(address -> address.variables().values().forEach(this::refuseUnsendable));
    }

    /** Refuses a later value that no header can hold: the one before goes on. */
    private void refuseUnsendable(String name) {
        variables.onChange(name, text -> {
            if (!fitsHeader(text)) {
                throw new AssayException(ErrorCode.INVALID_INPUT, name + NO_HEADER + ".");
            }
        });
    }

    private static boolean fitsHeader(String value) {
        return !value.isBlank() && value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    /** The limits of tools. */
    public ToolPolicy policy() {
        return policy;
    }

    /**
     * Opens {@code toolset}.
     *
     * @param caseTime the time that the case says it is
     * @param queue whose turn is taken where something is computed
     * @throws ToolboxException TOOL_NOT_ALLOWED when the operator does not allow a tool; TOOL_UNAVAILABLE when a server does
     *     not answer
     */
    public Toolbox open(Toolset toolset, Supplier<Instant> caseTime, String queue) {
        if (toolset.isEmpty()) {
            return Toolbox.EMPTY;
        }
        List<RunnableTool> tools = new ArrayList<>();
        List<Runnable> endings = new ArrayList<>();
        try {
            for (Tool tool : toolset.tools()) {
                switch (tool) {
                    case Tool.BuiltIn(BuiltInTool builtIn, Duration timeout) ->
                        tools.add(new Own(builtIn.spec(), builtIn, timeout, caseTime));
                    case Tool.Http declared -> {
                        Secrets secrets = new Secrets();
                        Supplier<Map<String, String>> headers = headers(
                                "tool " + declared.spec().name(),
                                declared.request().url().sample(),
                                declared.request().headers(),
                                secrets);
                        HttpTool own = new HttpTool(declared, http, policy, headers);
                        tools.add(secrets.hiddenFrom(own));
                    }
                    case Tool.Mcp mcp -> tools.addAll(open(mcp, endings, queue));
                }
            }
            return new Toolbox(tools, endings);
        } catch (RuntimeException e) {
            endings.forEach(Runnable::run);
            throw e;
        }
    }

    private List<RunnableTool> open(Tool.Mcp mcp, List<Runnable> endings, String queue) {
        Secrets secrets = new Secrets();
        try {
            McpSession session = session(mcp, secrets);
            endings.add(session::close);
            return session.tools(queue).stream().map(secrets::hiddenFrom).toList();
        } catch (ToolboxException e) {
            throw secrets.hiddenFrom(e);
        }
    }

    private McpSession session(Tool.Mcp mcp, Secrets secrets) {
        return switch (mcp.server()) {
            case Tool.McpServer.Http(String url, Map<String, String> written) ->
                McpSession.open(
                        mcp,
                        headers("tool " + mcp.name(), URI.create(url), written, secrets),
                        Map.of(),
                        computing,
                        ends);
            case Tool.McpServer.Stdio(List<String> command) -> {
                if (!policy.commands().contains(command)) {
                    throw notAllowed("tool " + mcp.name(), "its command is not among those that may be started");
                }
                Map<String, String> seen = new TreeMap<>(variables.environment());
                seen.keySet().retainAll(PASSED_ON);
                yield McpSession.open(mcp, Map::of, seen, computing, ends);
            }
        };
    }

    /**
     * The headers with the values that their variables have at each request. They are known only for addresses that the operator
     * allows.
     *
     * @param written headers as the campaign has them
     * @return a map that ignores the case of names
     * @throws ToolboxException TOOL_NOT_ALLOWED when the operator does not allow the address or a variable
     */
    public Supplier<Map<String, String>> headers(
            String tool, URI address, Map<String, String> written, Secrets secrets) {
        ToolPolicy.Address allowed = policy.covering(address)
                .orElseThrow(() -> notAllowed(tool, address.getHost() + " is not among its addresses"));
        var _ = filled(tool, allowed, written, secrets);
        return () -> filled(tool, allowed, written, secrets);
    }

    private Map<String, String> filled(
            String tool, ToolPolicy.Address allowed, Map<String, String> written, Secrets secrets) {
        Map<String, String> filled = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        written.forEach((name, value) ->
                filled.put(name, Headers.fill(value, variable -> secrets.add(variable(tool, allowed, variable)))));
        return filled;
    }

    private String variable(String tool, ToolPolicy.Address address, String name) {
        String variable = address.variables().get(name);
        String value = variable == null ? null : variables.value(variable);
        if (value == null) {
            throw notAllowed(
                    tool,
                    variable == null ? "it has no variable " + name + " for the address" : variable + " is not set");
        }
        // The HTTP client would quote a header that it cannot send in its error.
        if (!fitsHeader(value)) {
            throw notAllowed(tool, variable + NO_HEADER);
        }
        return value;
    }

    private static ToolboxException notAllowed(String tool, String reason) {
        return new ToolboxException(
                ErrorCode.TOOL_NOT_ALLOWED,
                "This worker does not allow " + tool + ": " + reason + "; see tools.yaml of the worker.",
                null);
    }

    /** At most 3 s for processes that do not end by themselves. */
    @Override
    public void close() {
        ends.close();
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
        public @Nullable BuiltInTool computes() {
            return tool == BuiltInTool.CURRENT_TIME ? null : tool;
        }

        @Override
        public String run(JsonNode arguments, Consumer<String> updates) {
            return tool.run(arguments, tool == BuiltInTool.CURRENT_TIME ? caseTime.get() : Instant.EPOCH);
        }
    }
}
