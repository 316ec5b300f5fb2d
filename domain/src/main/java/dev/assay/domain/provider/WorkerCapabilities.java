package dev.assay.domain.provider;

import dev.assay.domain.tool.ToolPolicy;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The joint capabilities of all workers for a campaign.
 *
 * @param providers what can be asked, by name
 * @param tools what tools may reach; null: not known here, so that only the workers decide
 * @param strategies names of the custom strategies that they have
 */
public record WorkerCapabilities(
        Map<String, ProviderInfo> providers, @Nullable ToolPolicy tools, Set<String> strategies) {

    public WorkerCapabilities {
        providers = Map.copyOf(providers);
        strategies = Set.copyOf(strategies);
    }
}
