package dev.assay.activities.agent;

import dev.assay.domain.event.AgentEvent;
import org.slf4j.LoggerFactory;

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

    /** The same, but what it throws is only logged: for what must be recorded whether or not it can be told. */
    default AgentEvents quietly() {
        return event -> {
            try {
                emit(event);
            } catch (RuntimeException | Error e) {
                LoggerFactory.getLogger(AgentEvents.class).warn("An event could not be told", e);
            }
        };
    }
}
