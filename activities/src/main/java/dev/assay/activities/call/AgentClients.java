package dev.assay.activities.call;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.replay.ReplayClient;
import dev.assay.activities.replay.ScriptedClient;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;

/** Finds the client that asks for an agent. */
public final class AgentClients {

    private final ProviderCatalog providers;
    private final CassetteSource cassettes;

    public AgentClients(ProviderCatalog providers, CassetteSource cassettes) {
        this.providers = providers;
        this.cassettes = cassettes;
    }

    /**
     * The client of {@code agent}; cheap enough to be asked for at each cell.
     *
     * @throws ModelException PROVIDER_AUTH or PROVIDER_REJECTED when this process cannot ask its provider
     */
    public ModelClient clientOf(Agent agent) {
        return switch (agent) {
            case Agent.Model(ModelChoice choice) -> providers.client(choice);
            case Agent.Replay(ModelChoice choice, String cassetteId) -> new ReplayClient(cassettes, choice, cassetteId);
            case Agent.Scripted(Agent.Script script) -> new ScriptedClient(script);
        };
    }
}
