package dev.assay.activities.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.activities.call.ResolvedModel.Tokens;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelException;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentCost;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.provider.ProviderInfo;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The resolver of an agent's client, price and output limit. */
public final class ModelResolver {

    /** Used where neither branch nor provider states a limit (design §4). */
    private static final int DEFAULT_OUTPUT_TOKENS = 4_096;

    private final RunnableKinds kinds;
    private final ProviderCatalog catalog;
    private final LimitedModels limits;
    private final Map<String, ProviderInfo> providers;

    public ModelResolver(RunnableKinds kinds, ProviderCatalog catalog, LimitedModels limits) {
        this.kinds = kinds;
        this.limits = limits;
        this.catalog = catalog;
        this.providers = catalog.infos();
    }

    /**
     * The client, price and limit of {@code agent}.
     *
     * @throws ModelException PROVIDER_AUTH or PROVIDER_REJECTED when this process cannot ask its provider
     */
    public ResolvedModel of(Agent agent, RunnableKind.Asking asking) {
        ModelClient client = kinds.of(agent).client(agent, asking);
        ModelChoice choice = agent.modelAsked().orElse(null);
        if (choice == null) {
            return new ResolvedModel(
                    agent.provider(),
                    agent.name().model(),
                    agent.pool(),
                    client,
                    null,
                    agent.cost() instanceof AgentCost.Stated(BigDecimal mostUsd) ? mostUsd : null,
                    new Tokens(DEFAULT_OUTPUT_TOKENS, DEFAULT_OUTPUT_TOKENS, 0),
                    limits.of(agent.pool(), agent.name().model()));
        }
        ProviderInfo provider = providers.get(choice.provider());
        int maxOutputTokens = maxOutputTokens(choice, provider);
        return new ResolvedModel(
                choice.provider(),
                choice.model(),
                agent.pool(),
                client,
                provider == null ? null : provider.price(choice.model()),
                null,
                new Tokens(maxOutputTokens, catalog.outputTokenBound(choice, maxOutputTokens), choice.formatTokens()),
                limits.of(agent.pool(), choice.model()));
    }

    /** Whether this process knows the agent's provider and has its key; true for agents that are part of Assay. */
    public boolean canAsk(Agent agent) {
        ModelChoice choice = agent.modelAsked().orElse(null);
        ProviderInfo provider = choice == null ? null : providers.get(choice.provider());
        return choice == null ? kinds.of(agent).canAsk(agent) : provider != null && provider.hasKey();
    }

    /** The bound of a reply that is sent to the provider, at least 1. */
    public int maxOutputTokens(ModelChoice choice) {
        return maxOutputTokens(choice, providers.get(choice.provider()));
    }

    private static int maxOutputTokens(ModelChoice choice, @Nullable ProviderInfo provider) {
        JsonNode own = choice.parameters().get("maxOutputTokens");
        if (own != null && own.isNumber()) {
            return own.intValue();
        }
        return provider == null ? DEFAULT_OUTPUT_TOKENS : provider.maxOutputTokens();
    }
}
