package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import dev.assay.domain.agent.InputFilter;
import dev.assay.domain.delivery.DeliveryWish;
import dev.assay.domain.suite.Case;
import dev.assay.domain.template.Template;
import dev.assay.domain.tool.Tool;
import dev.assay.domain.tool.Toolset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One agent configuration under comparison.
 *
 * @param id unique in the campaign, 1–128 characters
 * @param isNamed whether the user chose the id; an id that was made up is that of its agent, numbered where several have it
 * @param wording the agent's instructions, and how a case is put to it
 * @param tools what the model may call
 * @param inputFilters what prompts must pass before anything is sent, in order
 * @param maxContextTokens estimated tokens of a request, above which the conversation is compacted; null: it never is
 * @param delivery how its requests reach the provider
 */
public record Branch(
        String id,
        boolean isNamed,
        Agent agent,
        Wording wording,
        AgentLimits limits,
        Toolset tools,
        List<InputFilter> inputFilters,
        @Nullable Integer maxContextTokens,
        DeliveryWish delivery) {

    public Branch {
        inputFilters = List.copyOf(inputFilters);
    }

    /** A branch without tools, filters and compaction, whose id the user chose. */
    public Branch(String id, Agent agent, @Nullable String systemPrompt, AgentLimits limits) {
        this(
                id,
                true,
                agent,
                new Wording(systemPrompt, null, false),
                limits,
                Toolset.NONE,
                List.of(),
                null,
                DeliveryWish.LIVE);
    }

    /** The system prompt, given before the conversation; null: none. */
    public @Nullable String systemPrompt() {
        return wording.systemPrompt();
    }

    /** The branch's name in loop ids (docs/evaluations.md). */
    public String segment() {
        return isNamed ? id : agent.segment();
    }

    /** The branch with another system prompt and other tools. */
    public Branch with(@Nullable String otherPrompt, List<Tool> otherTools) {
        Toolset toolset = new Toolset(otherTools, tools.sequential());
        return new Branch(
                id,
                isNamed,
                agent,
                wording.withSystemPrompt(otherPrompt),
                limits,
                toolset,
                inputFilters,
                maxContextTokens,
                delivery);
    }

    /** The branch with another agent. */
    public Branch with(Agent other) {
        return new Branch(id, isNamed, other, wording, limits, tools, inputFilters, maxContextTokens, delivery);
    }

    /** Whether its answers were on record before the campaign, so that nobody is asked. */
    public boolean isAnswered() {
        return agent.isAnswered();
    }

    /**
     * Whether its answers may be reused: those of a model that is asked once. A loop with tools goes on after each answer, and an
     * input filter decides before anything is asked.
     */
    public boolean isReusable() {
        return agent.modelAsked().isPresent() && tools.isEmpty() && inputFilters.isEmpty();
    }

    /** Whether it sends the same request for the same case as {@code other}, both of which are reusable. */
    public boolean asksAs(Branch other) {
        return isReusable()
                && other.isReusable()
                && agent.modelAsked().equals(other.agent.modelAsked())
                && wording.asksAs(other.wording);
    }

    /** The branch with another way to its provider. */
    public Branch with(DeliveryWish other) {
        return new Branch(id, isNamed, agent, wording, limits, tools, inputFilters, maxContextTokens, other);
    }

    /** The branch with the answers that it gave in another campaign. */
    public Branch answered() {
        return with(agent.answered()).with(DeliveryWish.LIVE);
    }

    /**
     * The branch and {@code suiteCase} as they are asked, the template filled here, whatever it takes.
     *
     * @throws dev.assay.domain.error.AssayException INVALID_INPUT when the template cannot be filled
     */
    public Asked ask(Case suiteCase) {
        Template template = wording.template();
        return template == null
                ? new Asked(this, suiteCase)
                : asked(template.fill(suiteCase, wording.templateVars()), suiteCase);
    }

    /** The branch and {@code suiteCase} as they are asked, with its template filled. */
    public Asked asked(Template.Filled filled, Case suiteCase) {
        Branch branch = filled.system() == null ? this : with(filled.system(), tools.tools());
        return new Asked(branch, suiteCase.withPrompts(filled.prompts()));
    }

    /** A branch and a case without places to fill. */
    public record Asked(Branch branch, Case suiteCase) {}
}
