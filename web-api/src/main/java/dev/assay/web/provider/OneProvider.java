package dev.assay.web.provider;

import dev.assay.domain.usage.Price;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provider that campaigns can name, and its limits.
 *
 * @param name what campaigns call it
 * @param hasKey whether a live worker has a key for it, or it needs none
 * @param keyVariable the environment variable that holds the key; null when it needs none
 * @param maxConcurrent calls in flight that it allows, over all campaigns
 * @param maxOutputTokens output tokens of a call where the branch says nothing
 * @param prices in US dollars per million tokens, by model; {@code *} stands for every other model
 * @param workers live workers that can ask it
 * @param keys that its requests may bear; empty: it needs none
 * @param pools its pools that have limits, and those that refused something
 */
public record OneProvider(
        String name,
        boolean hasKey,
        @Nullable String keyVariable,
        int maxConcurrent,
        int maxOutputTokens,
        Map<String, Price> prices,
        long workers,
        List<KeyView> keys,
        List<LimitList.PoolView> pools) {

    public OneProvider {
        keys = List.copyOf(keys);
        pools = List.copyOf(pools);
    }

    static OneProvider of(ProviderView provider, List<LimitList.PoolView> pools) {
        return new OneProvider(
                provider.name(),
                provider.hasKey(),
                provider.keyVariable(),
                provider.maxConcurrent(),
                provider.maxOutputTokens(),
                provider.prices(),
                provider.workers(),
                provider.keys(),
                pools);
    }
}
