package dev.assay.domain.tool;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tools of a branch.
 *
 * @param tools in the order in which the model sees them
 * @param sequential whether the calls of one turn run one after the other, in their order; else all at once
 */
public record Toolset(List<Tool> tools, boolean sequential) {

    /** No tools. */
    public static final Toolset NONE = new Toolset(List.of(), false);

    public Toolset {
        tools = List.copyOf(tools);
    }

    public boolean isEmpty() {
        return tools.isEmpty();
    }

    /** {@code own} after those of {@code shared} that none of them replaces under the same name. */
    public static List<Tool> join(List<Tool> shared, List<Tool> own) {
        Set<String> replaced = own.stream().map(Tool::name).collect(Collectors.toSet());
        return Stream.concat(shared.stream().filter(tool -> !replaced.contains(tool.name())), own.stream())
                .toList();
    }

    /** The tools that the campaign itself describes: all but those of MCP servers. */
    public List<ToolSpec> declared() {
        return tools.stream()
                .flatMap(tool -> switch (tool) {
                    case Tool.BuiltIn(BuiltInTool builtIn, var ignored) -> Stream.of(builtIn.spec());
                    case Tool.Http http -> Stream.of(http.spec());
                    case Tool.Mcp ignored -> Stream.<ToolSpec>empty();
                })
                .toList();
    }
}
