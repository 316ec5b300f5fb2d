package dev.assay.activities.parrot;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.AgentName;

/** An agent of a kind that only tests know: it says its phrase and the name of the case. */
public record Parrot(String phrase) implements Agent {

    static final String WORD = "parrot";

    @Override
    public String provider() {
        return WORD;
    }

    @Override
    public AgentName name() {
        return new AgentName(WORD, "grey");
    }

    @Override
    public AgentCost cost() {
        return new AgentCost.Nothing();
    }
}
