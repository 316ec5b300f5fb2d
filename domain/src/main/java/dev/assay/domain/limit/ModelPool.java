package dev.assay.domain.limit;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKinds;

/**
 * The calls that share limits, and that are up or down together: those with one account of a provider to a group of its models.
 *
 * @param provider its name; {@code http/} and the host for a system under test
 * @param models the group; a model's name where no limits make a group of several
 */
public record ModelPool(String provider, String account, String models) {

    /** The account of a provider that has one key. */
    public static final String DEFAULT_ACCOUNT = "default";

    /** The pool of an agent's calls: no limits put its model into a group. */
    public static ModelPool of(Agent agent) {
        return new ModelPool(agent.pool(), DEFAULT_ACCOUNT, agent.name().model());
    }

    /** The calls to the same group with another account. */
    public ModelPool ofAccount(String other) {
        return new ModelPool(provider, other, models);
    }

    /** Whether both are calls to one group of models, with whatever accounts. */
    public boolean isOfGroup(ModelPool other) {
        return provider.equals(other.provider) && models.equals(other.models);
    }

    /** Whether its calls leave the installation. Scripts, replays and programs are never away. */
    public boolean canBeAway() {
        return !AgentKinds.providers().contains(provider);
    }
}
