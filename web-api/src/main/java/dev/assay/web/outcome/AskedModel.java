package dev.assay.web.outcome;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import java.util.Optional;

/** The model that answers for an agent. */
public final class AskedModel {

    private AskedModel() {}

    /** The model; empty for agents that ask none, which leave nothing to replay. */
    public static Optional<ModelChoice> of(Agent agent) {
        return switch (agent) {
            case Agent.Model model -> Optional.of(model.choice());
            case Agent.Replay replay -> Optional.of(replay.choice());
            case Agent.Scripted scripted -> Optional.empty();
            case Agent.Command command -> Optional.empty();
            case Agent.Http http -> Optional.empty();
        };
    }
}
