package dev.assay.activities.call;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKind;
import dev.assay.domain.agent.kind.AgentKinds;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The kinds of agents, each with how it is run. */
@Singleton
public class RunnableKinds {

    private final Map<Class<?>, RunnableKind<?>> byType = new HashMap<>();

    /**
     * The kinds that run.
     *
     * @throws IllegalStateException when a kind that documents may name is not among them
     */
    public RunnableKinds(List<RunnableKind<?>> kinds) {
        kinds.forEach(kind -> byType.put(kind.type(), kind));
        List<String> missing = AgentKinds.all().stream()
                .filter(kind -> !byType.containsKey(kind.type()))
                .map(AgentKind::word)
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalStateException("Nothing runs agents of kind " + String.join(", ", missing)
                    + "; give each a singleton that implements RunnableKind.");
        }
    }

    /** How {@code agent} is run. */
    @SuppressWarnings("unchecked") // It is found by the class of its agents.
    public RunnableKind<Agent> of(Agent agent) {
        return (RunnableKind<Agent>) Objects.requireNonNull(byType.get(agent.getClass()), "An agent has a kind");
    }
}
