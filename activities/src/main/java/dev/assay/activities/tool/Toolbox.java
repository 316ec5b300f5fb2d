package dev.assay.activities.tool;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.tool.ToolSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools that one agent loop may call. */
public final class Toolbox implements AutoCloseable {

    /** No tools. */
    public static final Toolbox EMPTY = new Toolbox(List.of(), List.of());

    private final Map<String, RunnableTool> tools = new LinkedHashMap<>();
    private final List<Runnable> endings;

    /**
     * A box of {@code tools}.
     *
     * @param endings what to do when the loop is over
     * @throws ToolboxException TOOL_UNAVAILABLE when two have the same name
     */
    public Toolbox(List<RunnableTool> tools, List<Runnable> endings) {
        this.endings = List.copyOf(endings);
        for (RunnableTool tool : tools) {
            String name = tool.spec().name();
            if (this.tools.putIfAbsent(name, tool) != null) {
                throw new ToolboxException(
                        ErrorCode.TOOL_UNAVAILABLE,
                        "Two tools of the branch are called " + name + "; choose which with `only`.",
                        null);
            }
        }
    }

    /** The tools as the model sees them, in order. */
    public List<ToolSpec> specs() {
        return tools.values().stream().map(RunnableTool::spec).toList();
    }

    public Optional<RunnableTool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }

    @Override
    public void close() {
        endings.forEach(Runnable::run);
    }
}
