package dev.assay.domain.provider;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPattern;
import dev.assay.domain.limit.size.CountingRules;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limits of a group of models, for each account.
 *
 * @param limits units a period of those that are configured, at least 1
 * @param burstSeconds so many seconds' worth may go at once after a pause, 1–60
 * @param learns whether limits are taken from answers, too
 */
public record ModelLimits(
        ModelPattern models,
        Map<LimitKind, Long> limits,
        ConcurrencyRange concurrent,
        CountingRules counting,
        int burstSeconds,
        boolean learns) {

    public static final int DEFAULT_BURST_SECONDS = 2;

    public ModelLimits {
        limits = Map.copyOf(limits);
    }

    /**
     * Whether they bound the calls in flight by themselves, before anything was refused.
     *
     * @param maxConcurrent calls of the provider that may be in flight
     */
    public boolean bounds(int maxConcurrent) {
        return !concurrent.equals(ConcurrencyRange.upTo(maxConcurrent));
    }

    /** What workers report of them. */
    LimitsInfo info(int maxConcurrent) {
        Map<String, Long> units = new LinkedHashMap<>();
        limits.forEach((kind, limit) -> units.put(kind.word(), limit));
        boolean isBounded = bounds(maxConcurrent);
        boolean isRange = isBounded && !concurrent.isFixed();
        return new LimitsInfo(
                models.text(),
                units,
                burstSeconds,
                isBounded ? (Integer) concurrent.max() : null,
                isRange ? (Integer) concurrent.min() : null,
                isRange ? (Integer) concurrent.start() : null,
                learns ? null : (Boolean) false);
    }

    /** The limits of a model that is in no group: those that its provider's answers say. */
    static ModelLimits unconfigured(String model, ProviderType type, int maxConcurrent) {
        return new ModelLimits(
                new ModelPattern(model),
                Map.of(),
                ConcurrencyRange.upTo(maxConcurrent),
                type.counting(),
                DEFAULT_BURST_SECONDS,
                true);
    }
}
