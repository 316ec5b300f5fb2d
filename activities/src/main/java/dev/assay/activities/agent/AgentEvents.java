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
     * Takes {@code event} and returns when it was emitted. The events of one loop arrive one at a time and in order; those of
     * several loops arrive from as many threads. An exception ends the attempt, which is then made again. An interrupt ends the
     * waiting; the event is still emitted.
     */
    void emit(AgentEvent event);

    /**
     * Takes events, in their order, before any later ones. It need not wait until they are emitted.
     *
     * @return done when all are emitted; fails when one cannot be
     */
    default CompletableFuture<?> tell(List<AgentEvent> events) {
        events.forEach(this::emit);
        return CompletableFuture.completedFuture(null);
    }

    /** The same, but exceptions are only logged: for attempts that must be recorded even where events fail. */
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
