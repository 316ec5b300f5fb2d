package dev.assay.activities.replay;

import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.Agent;
import jakarta.inject.Singleton;

/** The declared answers. */
@Singleton
public final class Scripts implements RunnableKind<Agent.Scripted> {

    @Override
    public Class<Agent.Scripted> type() {
        return Agent.Scripted.class;
    }

    @Override
    public ModelClient client(Agent.Scripted agent, Asking asking) {
        return new ScriptedClient(agent.script());
    }
}
