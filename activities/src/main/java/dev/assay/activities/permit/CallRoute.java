package dev.assay.activities.permit;

import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.permit.PermitPool;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a call asks, as far as permits and limits go.
 *
 * @param bounded the group of models that has permits of its own; null: it has none
 * @param limited whose units it spends; null: no limits are configured
 * @param asked the pool that it asks; null: it asks a part of Assay, which refuses nothing
 */
public record CallRoute(
        String provider,
        @Nullable ModelPool bounded,
        @Nullable ModelPool limited,
        @Nullable BoundedCalls asked) {

    /** The route to what refuses nothing. */
    public CallRoute(String provider, @Nullable ModelPool bounded, @Nullable ModelPool limited) {
        this(provider, bounded, limited, null);
    }

    /** The route to a provider without limits. */
    public static CallRoute to(String provider) {
        return new CallRoute(provider, null, null);
    }

    /** The pools of permits. The parts of Assay itself have none. */
    List<PermitPool> pools() {
        List<PermitPool> pools = new ArrayList<>();
        if (!AgentKinds.providers().contains(provider)) {
            pools.add(PermitPool.provider(provider));
        }
        if (bounded != null) {
            pools.add(PermitPool.models(bounded));
        }
        return pools;
    }

    /** The same with the permits of a campaign. */
    List<PermitPool> pools(String campaignId) {
        List<PermitPool> pools = new ArrayList<>(List.of(PermitPool.campaign(campaignId)));
        pools.addAll(pools());
        return pools;
    }
}
