package dev.assay.activities.agent;

import dev.assay.domain.event.AgentEvent;

/** Where the events of agent loops go. */
@FunctionalInterface
public interface AgentEvents {

    /** Nobody listens. */
    AgentEvents NONE = event -> {};

    /**
     * Takes {@code event}. The events of one loop come one at a time and in order; those of several loops come from as many
     * threads. What it throws ends the attempt, which is then made again.
     */
    void emit(AgentEvent event);
}
