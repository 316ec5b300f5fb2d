package dev.assay.domain.plan;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaign.CampaignDefinition;
import java.util.List;
import java.util.OptionalDouble;

/** What a campaign's file says about the time of its cells, before any was measured. */
public final class ExpectedCell {

    /** What a cell takes whose answer takes no time. */
    private static final double LEAST_SECONDS = 0.01;

    private ExpectedCell() {}

    /**
     * The time of a cell, in seconds.
     *
     * @return empty where a model or a program answers: nothing is known then
     */
    public static OptionalDouble seconds(CampaignDefinition definition) {
        List<Agent> agents =
                definition.branches().stream().map(branch -> branch.agent()).toList();
        if (!agents.stream().allMatch(Agent.Scripted.class::isInstance)) {
            return OptionalDouble.empty();
        }
        return agents.stream()
                .map(Agent.Scripted.class::cast)
                .mapToDouble(agent -> agent.script().delay().toNanos() / 1e9 + LEAST_SECONDS)
                .max();
    }
}
