package dev.assay.domain.agent.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** The registry of the kinds of agents: those that {@code META-INF/services} names, the built-in ones and those of others. */
public final class AgentKinds {

    private static final List<AgentKind<?>> ALL = load();
    private static final Map<Class<?>, AgentKind<?>> BY_TYPE =
            ALL.stream().collect(Collectors.toUnmodifiableMap(AgentKind::type, kind -> kind));
    private static final List<String> PROVIDERS =
            ALL.stream().map(AgentKind::provider).filter(Objects::nonNull).toList();

    private AgentKinds() {}

    /** The class path of this class, not of the thread, which may belong to a plugin. */
    private static List<AgentKind<?>> load() {
        Map<String, AgentKind<?>> kinds = new LinkedHashMap<>();
        for (AgentKind<?> kind : ServiceLoader.load(AgentKind.class, AgentKind.class.getClassLoader())) {
            if (kinds.putIfAbsent(kind.word(), kind) != null) {
                throw new IllegalStateException(
                        "Two kinds of agents have the word " + kind.word() + "; remove one from the class path.");
            }
        }
        return List.copyOf(kinds.values());
    }

    /** All kinds. */
    public static List<AgentKind<?>> all() {
        return ALL;
    }

    /** The providers that are parts of Assay: they are always there, need no key and take no permits of their own. */
    public static List<String> providers() {
        return PROVIDERS;
    }

    /** Whether nothing is paid for agents of the kind called {@code word}. For a kind that this build does not know, something may be. */
    public static boolean isFree(String word) {
        return ALL.stream().anyMatch(kind -> kind.word().equals(word) && kind.isFree());
    }

    /** Whether {@code field}, which branches share, means something to {@code agent}. */
    public static boolean takes(Agent agent, String field) {
        return !of(agent).lacks().contains(field);
    }

    /** Writes {@code agent} in the words of the campaign file. */
    public static void write(Agent agent, ObjectNode node) {
        AgentKind<Agent> kind = of(agent);
        node.put("kind", kind.word());
        kind.write(agent, node);
    }

    /** The kind of {@code agent}. */
    @SuppressWarnings("unchecked") // A kind is found by the class of its agents.
    public static AgentKind<Agent> of(Agent agent) {
        AgentKind<?> kind = BY_TYPE.get(agent.getClass());
        if (kind == null) {
            throw new IllegalArgumentException("No kind of agent is registered for "
                    + agent.getClass().getName() + "; name it in META-INF/services.");
        }
        return (AgentKind<Agent>) kind;
    }
}
