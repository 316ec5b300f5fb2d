package dev.assay.domain.tool;

/**
 * The content of {@code tools.yaml}.
 *
 * @param policy what tools and branches may reach
 * @param isolation how far programs are kept apart
 */
public record ToolsFile(ToolPolicy policy, IsolationRules isolation) {

    /** No file: only the built-in tools. */
    public static final ToolsFile NONE = new ToolsFile(ToolPolicy.NONE, IsolationRules.NONE);
}
