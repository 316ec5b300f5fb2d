package dev.assay.activities.call;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.model.ModelReply;
import dev.assay.activities.model.ModelRequest;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.activities.replay.CassetteSource;
import dev.assay.activities.replay.ReplayClient;
import dev.assay.activities.replay.ScriptedClient;
import dev.assay.activities.system.Systems;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.error.ErrorCode;

/** The clients that ask for agents. */
public final class AgentClients {

    private final ProviderCatalog providers;
    private final CassetteSource cassettes;
    private final Systems systems;

    public AgentClients(ProviderCatalog providers, CassetteSource cassettes, Systems systems) {
        this.providers = providers;
        this.cassettes = cassettes;
        this.systems = systems;
    }

    /** A program asks its models itself. */
    private static ModelReply asksNoModel(ModelRequest request) {
        throw new ModelException(ErrorCode.INTERNAL, "A program is run, not asked.", null, null);
    }

    /**
     * The client of {@code agent}; cheap enough to be asked for at each cell.
     *
     * @param queue whose turn it takes where something is computed
     * @throws ModelException PROVIDER_AUTH, PROVIDER_REJECTED or TOOL_NOT_ALLOWED when this process cannot ask its provider
     */
    public ModelClient clientOf(Agent agent, String queue) {
        return switch (agent) {
            case Agent.Model(ModelChoice choice) -> providers.client(choice);
            case Agent.Replay(ModelChoice choice, String cassetteId) -> new ReplayClient(cassettes, choice, cassetteId);
            case Agent.Scripted(Agent.Script script) -> new ScriptedClient(script);
            case Agent.Command _ -> AgentClients::asksNoModel;
            case Agent.Http http -> systems.of(http, queue);
        };
    }
}
