package dev.assay.domain.provider;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.limit.ModelPattern;
import dev.assay.domain.usage.Price;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The description of a provider that a worker can ask. This, and never the key, is what validation and the store see.
 *
 * @param type the API that it speaks; null: an earlier build reported it, which did not say, or a later one that knows more APIs
 * @param hasKey whether the worker has a key for it, or it needs none
 * @param keyVariable the environment variable that holds the key; null when it needs none
 * @param maxConcurrent calls in flight that the provider allows, over all campaigns, at least 1
 * @param maxOutputTokens output tokens of a call where the branch says nothing, at least 1
 * @param prices by model; {@code *} stands for every other model
 * @param keys that its requests may bear; empty: it needs none
 * @param batches those that it takes; null: none, or an earlier build reported it, which makes none
 */
public record ProviderInfo(
        String name,

        @JsonFormat(with = JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL) @Nullable
        ProviderType type,

        boolean hasKey,
        @Nullable String keyVariable,
        int maxConcurrent,
        int maxOutputTokens,
        Map<String, Price> prices,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<LimitsInfo> limits,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProviderKey> keys,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable BatchSettings batches) {

    /**
     * @param limits null: an earlier build reported it, which keeps none
     * @param keys null: an earlier build reported it, which has one at most
     */
    @JsonCreator
    public ProviderInfo(
            String name,
            @Nullable ProviderType type,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices,
            @Nullable List<LimitsInfo> limits,
            @Nullable List<ProviderKey> keys,
            @Nullable BatchSettings batches) {
        this.name = name;
        this.type = type;
        this.hasKey = hasKey;
        this.keyVariable = keyVariable;
        this.maxConcurrent = maxConcurrent;
        this.maxOutputTokens = maxOutputTokens;
        this.prices = Map.copyOf(prices);
        this.limits = limits == null ? List.of() : List.copyOf(limits);
        this.keys = keys == null || keys.isEmpty() ? only(keyVariable) : List.copyOf(keys);
        this.batches = batches;
    }

    private static List<ProviderKey> only(@Nullable String keyVariable) {
        return keyVariable == null ? List.of() : List.of(ProviderKey.ofVariable(keyVariable));
    }

    /** A provider that takes no batches. */
    public ProviderInfo(
            String name,
            @Nullable ProviderType type,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices,
            List<LimitsInfo> limits,
            List<ProviderKey> keys) {
        this(name, type, hasKey, keyVariable, maxConcurrent, maxOutputTokens, prices, limits, keys, null);
    }

    /** A provider that has one key or none. */
    public ProviderInfo(
            String name,
            @Nullable ProviderType type,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices,
            List<LimitsInfo> limits) {
        this(name, type, hasKey, keyVariable, maxConcurrent, maxOutputTokens, prices, limits, List.of());
    }

    /** A provider of which no limits are known. */
    public ProviderInfo(
            String name,
            @Nullable ProviderType type,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices) {
        this(name, type, hasKey, keyVariable, maxConcurrent, maxOutputTokens, prices, List.of());
    }

    /** A provider whose API is not told either. */
    public ProviderInfo(
            String name,
            boolean hasKey,
            @Nullable String keyVariable,
            int maxConcurrent,
            int maxOutputTokens,
            Map<String, Price> prices) {
        this(name, null, hasKey, keyVariable, maxConcurrent, maxOutputTokens, prices);
    }

    /** The price of {@code model}; null when none is known. */
    public @Nullable Price price(String model) {
        Price own = prices.get(model);
        return own != null ? own : prices.get("*");
    }

    /** The limits of the group of {@code model}; null: it is in no group that has some. */
    public @Nullable LimitsInfo limitsOf(String model) {
        return limits.stream()
                .filter(group -> new ModelPattern(group.models()).matches(model))
                .findFirst()
                .orElse(null);
    }

    /** The same provider with other limits. */
    public ProviderInfo withLimits(List<LimitsInfo> others) {
        return new ProviderInfo(
                name, type, hasKey, keyVariable, maxConcurrent, maxOutputTokens, prices, others, keys, batches);
    }

    /** How many accounts share its calls, at least 1: each has the limits. */
    public int accounts() {
        return Math.max(
                1, (int) keys.stream().map(ProviderKey::account).distinct().count());
    }
}
