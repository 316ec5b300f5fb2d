package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentLimits;
import org.jspecify.annotations.Nullable;

/**
 * One agent configuration under comparison.
 *
 * @param id unique in the campaign, 1–128 characters
 * @param agent what answers
 * @param systemPrompt what the agent is told before the conversation; null: nothing
 * @param limits bounds of its loop
 */
public record Branch(String id, Agent agent, @Nullable String systemPrompt, AgentLimits limits) {}
