package dev.assay.campaigns.plan;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.limit.LimitQueries;
import dev.assay.store.limit.LimitState;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The limits of providers as they are in force, whoever set them. */
@Singleton
public class LimitsOfProviders {

    private final LimitQueries limits;

    LimitsOfProviders(LimitQueries limits) {
        this.limits = limits;
    }

    /** The same providers, with the limits in force in place of those that one worker is configured with. */
    @ReadOnly
    public Map<String, ProviderInfo> inForce(Map<String, ProviderInfo> providers) {
        List<LimitState> states = limits.of(providers.keySet());
        Map<String, ProviderInfo> all = new LinkedHashMap<>();
        providers.forEach((name, provider) -> all.put(
                name,
                provider.withLimits(provider.limits().stream()
                        .map(group -> inForce(name, group, states))
                        .toList())));
        return all;
    }

    private static LimitsInfo inForce(String provider, LimitsInfo group, List<LimitState> states) {
        Map<LimitKind, Long> units = new EnumMap<>(LimitKind.class);
        states.stream()
                .filter(state -> state.pool().provider().equals(provider))
                .filter(state -> state.pool().models().equals(group.models()))
                .flatMap(state -> state.limits().stream())
                .forEach(room -> units.merge(room.kind(), room.limit(), Math::min));
        return group.with(units);
    }
}
