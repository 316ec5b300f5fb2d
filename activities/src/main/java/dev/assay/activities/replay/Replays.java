package dev.assay.activities.replay;

import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.Agent;
import jakarta.inject.Singleton;

/** The recorded answers. */
@Singleton
public final class Replays implements RunnableKind<Agent.Replay> {

    private final CassetteSource cassettes;

    public Replays(CassetteSource cassettes) {
        this.cassettes = cassettes;
    }

    @Override
    public Class<Agent.Replay> type() {
        return Agent.Replay.class;
    }

    @Override
    public ModelClient client(Agent.Replay agent, Asking asking) {
        return new ReplayClient(cassettes, agent.choice(), agent.cassetteId());
    }

    /** A recorded answer is found by the whole conversation. */
    @Override
    public boolean compacts() {
        return false;
    }
}
