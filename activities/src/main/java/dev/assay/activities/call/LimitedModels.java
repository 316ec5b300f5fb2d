package dev.assay.activities.call;

import dev.assay.activities.permit.BoundedCalls;
import dev.assay.activities.permit.CallRoute;
import dev.assay.activities.provider.ProviderCatalog;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.domain.provider.ModelLimits;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.tool.ToolPolicy;
import java.util.LinkedHashMap;
import java.util.Map;

/** The limits of the models and addresses that this worker asks, as its operator configured them. */
public final class LimitedModels {

    /** Names of models are written by users: the answers of those that were asked longest ago are forgotten. */
    private static final int MOST = 1_000;

    private static final CountingRules OF_ADDRESSES = new CountingRules(OutputCounting.PRODUCED, true);
    private static final String ALL = "*";

    private final ProviderCatalog catalog;
    private final ToolPolicy tools;
    private final Map<ModelName, LimitedModel> models = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ModelName, LimitedModel> eldest) {
            return size() > MOST;
        }
    };

    private record ModelName(String provider, String model) {}

    public LimitedModels(ProviderCatalog catalog, ToolPolicy tools) {
        this.catalog = catalog;
        this.tools = tools;
    }

    /** The limits of a model; none where nothing is configured. */
    synchronized LimitedModel of(String provider, String model) {
        return models.computeIfAbsent(new ModelName(provider, model), this::found);
    }

    private LimitedModel found(ModelName name) {
        String provider = name.provider();
        if (provider.startsWith(Agent.PROVIDER_HTTP + "/")) {
            return ofAddress(provider, provider.substring(Agent.PROVIDER_HTTP.length() + 1));
        }
        return catalog.settings(provider)
                .map(settings -> limited(settings, settings.limitsOf(name.model())))
                .orElseGet(() -> new LimitedModel(CallRoute.to(provider), OF_ADDRESSES));
    }

    private LimitedModel ofAddress(String provider, String host) {
        ModelPool all = group(provider, ALL);
        ConcurrencyRange range = ConcurrencyRange.upTo(tools.maxConcurrent(host).orElse(1));
        return new LimitedModel(
                new CallRoute(
                        provider, null, tools.limitsRequestsTo(host) ? all : null, new BoundedCalls(all, range, false)),
                OF_ADDRESSES);
    }

    private static LimitedModel limited(ProviderSettings settings, ModelLimits limits) {
        ModelPool group = group(settings.name(), limits.models().text());
        CallRoute route = new CallRoute(
                settings.name(),
                limits.bounds(settings.maxConcurrent()) ? group : null,
                limits.limits().isEmpty() ? null : group,
                new BoundedCalls(group, limits.concurrent(), limits.learns()));
        return new LimitedModel(route, limits.counting());
    }

    private static ModelPool group(String provider, String models) {
        return new ModelPool(provider, ModelPool.DEFAULT_ACCOUNT, models);
    }
}
