package dev.assay.domain.provider;

import dev.assay.domain.usage.Price;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The address and limits of one provider. Holds the name of the key's variable, never the key.
 *
 * @param type the API that it speaks
 * @param keyVariable the environment variable that holds the key; null: no key is sent
 * @param maxConcurrent calls in flight, at least 1
 * @param maxOutputTokens output tokens of a call where the branch says nothing, at least 1
 * @param prices by model; {@code *} stands for every other model
 * @param keys the keys that it may use; empty: no key is sent
 * @param limits of groups of models; the first that matches counts
 * @param batches those that it takes; null: none
 */
public record ProviderSettings(
        String name,
        ProviderType type,
        URI baseUrl,
        @Nullable String keyVariable,
        int maxConcurrent,
        int maxOutputTokens,
        Map<String, Price> prices,
        List<ProviderKey> keys,
        List<ModelLimits> limits,
        @Nullable BatchSettings batches) {

    public static final int DEFAULT_MAX_CONCURRENT = 1_000;
    public static final int DEFAULT_MAX_OUTPUT_TOKENS = 4_096;

    public ProviderSettings {
        prices = Map.copyOf(prices);
        keys = List.copyOf(keys);
        limits = List.copyOf(limits);
    }

    /** A provider with one key or none, of which neither limits nor batches are configured. */
    public ProviderSettings(
            String name,
            ProviderType type,
            URI baseUrl,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices) {
        this(
                name,
                type,
                baseUrl,
                keyVariable,
                maxConcurrent,
                maxOutputTokens,
                prices,
                keyVariable == null ? List.of() : List.of(ProviderKey.ofVariable(keyVariable)),
                List.of(),
                BatchSettings.usual(type));
    }

    /** The same with other keys, limits and batches. */
    ProviderSettings governed(
            List<ProviderKey> someKeys, List<ModelLimits> someLimits, @Nullable BatchSettings someBatches) {
        return new ProviderSettings(
                name,
                type,
                baseUrl,
                keyVariable,
                maxConcurrent,
                maxOutputTokens,
                prices,
                someKeys,
                someLimits,
                someBatches);
    }

    /** The URL below which the API's paths lie, without a slash at its end. */
    public String apiUrl() {
        return type.apiUrl(baseUrl);
    }

    /** The price of {@code model}; null when none is known. */
    @Nullable
    public Price price(String model) {
        Price own = prices.get(model);
        return own != null ? own : prices.get("*");
    }

    /** The limits that hold for {@code model}. A model that no entry matches is a group of its own. */
    public ModelLimits limitsOf(String model) {
        return configuredLimits(model).orElseGet(() -> ModelLimits.unconfigured(model, type, maxConcurrent));
    }

    /** The first entry that matches {@code model}; empty: none does. */
    public Optional<ModelLimits> configuredLimits(String model) {
        return limits.stream().filter(entry -> entry.models().matches(model)).findFirst();
    }

    /** The same as it is asked with one of its keys. */
    public ProviderSettings askedWith(ProviderKey key) {
        return new ProviderSettings(
                name, type, baseUrl, key.variable(), maxConcurrent, maxOutputTokens, prices, keys, limits, batches);
    }

    /** The public facts of the provider, from a worker that has one of the keys ({@code hasKey}) or none. */
    public ProviderInfo info(boolean hasKey) {
        return new ProviderInfo(
                name,
                type,
                keyVariable == null || hasKey,
                keyVariable,
                maxConcurrent,
                maxOutputTokens,
                prices,
                limits.stream().map(entry -> entry.info(maxConcurrent)).toList(),
                keys,
                batches);
    }
}
