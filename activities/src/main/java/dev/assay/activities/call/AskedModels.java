package dev.assay.activities.call;

import dev.assay.activities.model.ModelClient;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import jakarta.inject.Singleton;

/** The models that providers offer. */
@Singleton
final class AskedModels implements RunnableKind<Agent.Model> {

    private final ProviderCatalog providers;

    AskedModels(ProviderCatalog providers) {
        this.providers = providers;
    }

    @Override
    public Class<Agent.Model> type() {
        return Agent.Model.class;
    }

    @Override
    public ModelClient client(Agent.Model agent, Asking asking) {
        return providers.client(agent.choice());
    }
}
