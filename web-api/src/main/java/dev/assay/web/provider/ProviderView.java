package dev.assay.web.provider;

import dev.assay.domain.provider.KeyState;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.domain.usage.Price;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A provider that campaigns can name.
 *
 * @param name what campaigns call it
 * @param hasKey whether a live worker has a key for it, or it needs none
 * @param keyVariable the environment variable that holds the key; null when it needs none
 * @param maxConcurrent calls in flight that it allows, over all campaigns
 * @param maxOutputTokens output tokens of a call where the branch says nothing
 * @param prices in US dollars per million tokens, by model; {@code *} stands for every other model
 * @param workers live workers that can ask it
 * @param keys that its requests may bear; empty: it needs none
 */
public record ProviderView(
        String name,
        boolean hasKey,
        @Nullable String keyVariable,
        int maxConcurrent,
        int maxOutputTokens,
        Map<String, Price> prices,
        long workers,
        List<KeyView> keys) {

    public ProviderView {
        keys = List.copyOf(keys);
    }

    static ProviderView of(ProviderInfo provider, Map<String, Long> workers, List<KeyState> keys) {
        return new ProviderView(
                provider.name(),
                provider.hasKey(),
                provider.keyVariable(),
                provider.maxConcurrent(),
                provider.maxOutputTokens(),
                provider.prices(),
                workers.getOrDefault(provider.name(), 0L),
                keys.stream().map(KeyView::of).toList());
    }
}
