package dev.assay.activities.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.provider.ProviderInfo;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resolver of an agent's client, price and output limit. */
public final class ModelResolver {

    /** Used where neither branch nor provider states a limit (design §4). */
    private static final int DEFAULT_OUTPUT_TOKENS = 4_096;

    private final AgentClients clients;
    private final ProviderCatalog catalog;
    private final Map<String, ProviderInfo> providers;

    public ModelResolver(AgentClients clients, ProviderCatalog catalog) {
        this.clients = clients;
        this.catalog = catalog;
        this.providers = catalog.infos();
    }

    /**
     * The client, price and limit of {@code agent}.
     *
     * @param queue whose turn it takes where something is computed
     * @throws ModelException PROVIDER_AUTH or PROVIDER_REJECTED when this process cannot ask its provider
     */
    public ResolvedModel of(Agent agent, String queue) {
        if (!(agent instanceof Agent.Model(ModelChoice choice))) {
            return new ResolvedModel(
                    agent.provider(),
                    agent.name().model(),
                    agent.pool(),
                    clients.clientOf(agent, queue),
                    null,
                    agent instanceof Agent.Http http ? http.system().maxCostUsd() : null,
                    DEFAULT_OUTPUT_TOKENS,
                    DEFAULT_OUTPUT_TOKENS);
        }
        ProviderInfo provider = providers.get(choice.provider());
        int maxOutputTokens = maxOutputTokens(choice, provider);
        return new ResolvedModel(
                choice.provider(),
                choice.model(),
                agent.pool(),
                clients.clientOf(agent, queue),
                provider == null ? null : provider.price(choice.model()),
                null,
                maxOutputTokens,
                catalog.outputTokenBound(choice, maxOutputTokens));
    }

    /** Whether this process knows the agent's provider and has its key; true for agents that are part of Assay. */
    public boolean canAsk(Agent agent) {
        if (!(agent instanceof Agent.Model(ModelChoice choice))) {
            return true;
        }
        ProviderInfo provider = providers.get(choice.provider());
        return provider != null && provider.hasKey();
    }

    private static int maxOutputTokens(ModelChoice choice, @Nullable ProviderInfo provider) {
        JsonNode own = choice.parameters().get("maxOutputTokens");
        if (own != null && own.isNumber()) {
            return own.intValue();
        }
        return provider == null ? DEFAULT_OUTPUT_TOKENS : provider.maxOutputTokens();
    }
}
