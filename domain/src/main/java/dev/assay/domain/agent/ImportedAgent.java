package dev.assay.domain.agent;

import java.util.Optional;

/**
 * An agent that another tool asked. Its answers came with an import, and nobody can be asked for others.
 *
 * @param choice the tool as its provider, the model, and the parameters that the tool used
 */
public record ImportedAgent(ModelChoice choice) implements Agent {

    /** The word of its kind. */
    public static final String KIND = "imported";

    @Override
    public String provider() {
        return PROVIDER_SCRIPTED;
    }

    @Override
    public String storedProvider() {
        return choice.provider();
    }

    @Override
    public AgentName name() {
        return choice.name();
    }

    @Override
    public AgentCost cost() {
        return new AgentCost.Nothing();
    }

    @Override
    public String segment() {
        return choice.segment();
    }

    @Override
    public Optional<ModelChoice> model() {
        return Optional.of(choice);
    }

    @Override
    public boolean isAnswered() {
        return true;
    }

    @Override
    public Agent answered() {
        return this;
    }
}
