package dev.assay.activities.agent;

import dev.assay.domain.event.AgentEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.LoggerFactory;

/** The destination of the events of agent loops. */
@FunctionalInterface
public interface AgentEvents {

    /** For a loop without a listener. */
    AgentEvents NONE = event -> {};

    /**
     * Takes {@code event} and returns when it is told. The events of one loop come one at a time and in order; those of several loops
     * come from as many threads. What it throws ends the attempt, which is then made again. An interrupt ends the waiting, not the
     * telling.
     */
    void emit(AgentEvent event);

    /**
     * Takes events, in their order, before any that comes later; need not wait until they are told.
     *
     * @return done when they are; fails when they cannot be
     */
    default CompletableFuture<?> tell(List<AgentEvent> events) {
        events.forEach(this::emit);
        return CompletableFuture.completedFuture(null);
    }

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
