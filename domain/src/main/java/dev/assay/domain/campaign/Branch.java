package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.InputFilter;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.Toolset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One agent configuration under comparison.
 *
 * @param id unique in the campaign, 1–128 characters
 * @param isNamed whether the user chose the id; an id that was made up is that of its agent, numbered where several have it
 * @param agent what answers
 * @param systemPrompt what the agent is told before the conversation; null: nothing
 * @param limits bounds of its loop
 * @param tools what the model may call
 * @param inputFilters what prompts must pass before anything is sent, in order
 * @param maxContextTokens estimated tokens of a request, above which the conversation is compacted; null: it never is
 */
public record Branch(
        String id,
        boolean isNamed,
        Agent agent,
        @Nullable String systemPrompt,
        AgentLimits limits,
        Toolset tools,
        List<InputFilter> inputFilters,
        @Nullable Integer maxContextTokens) {

    public Branch {
        inputFilters = List.copyOf(inputFilters);
    }

    /** A branch without tools, filters and compaction, whose id the user chose. */
    public Branch(String id, Agent agent, @Nullable String systemPrompt, AgentLimits limits) {
        this(id, true, agent, systemPrompt, limits, Toolset.NONE, List.of(), null);
    }

    /** How loop ids name the branch (semantics A5). */
    public String segment() {
        return isNamed ? id : agent.segment();
    }

    /** The branch with another system prompt and other tools. */
    public Branch with(@Nullable String otherPrompt, List<Tool> otherTools) {
        Toolset toolset = new Toolset(otherTools, tools.sequential());
        return new Branch(id, isNamed, agent, otherPrompt, limits, toolset, inputFilters, maxContextTokens);
    }
}
