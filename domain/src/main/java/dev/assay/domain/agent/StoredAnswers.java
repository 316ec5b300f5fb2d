package dev.assay.domain.agent;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answers that an agent gave in another campaign. Nobody is asked for them: they are on record before the campaign starts.
 *
 * @param of the agent that gave them, for people
 */
public record StoredAnswers(Agent of) implements Agent {

    @Override
    public String provider() {
        return PROVIDER_SCRIPTED;
    }

    @Override
    public AgentName name() {
        return of.name();
    }

    @Override
    public AgentCost cost() {
        return new AgentCost.Nothing();
    }

    @Override
    public String segment() {
        return of.segment();
    }

    @Override
    public @Nullable String storedName() {
        return of.storedName();
    }

    @Override
    public Optional<ModelChoice> model() {
        return of.model();
    }

    @Override
    public boolean isAnswered() {
        return true;
    }

    @Override
    public Agent answered() {
        return this;
    }

    @Override
    public Agent asWritten() {
        return of;
    }
}
