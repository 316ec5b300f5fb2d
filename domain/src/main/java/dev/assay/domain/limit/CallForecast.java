package dev.assay.domain.limit;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time that calls take at least.
 *
 * @param bound what bounds them, as in {@code tokensPerMinute of openai/gpt-6.1*}; null: nothing that is known
 */
public record CallForecast(long seconds, @Nullable String bound) {

    /**
     * The forecast for calls of several pools, which run side by side.
     *
     * @param maxConcurrent calls in flight that the campaign allows, at least 1
     */
    public static CallForecast of(List<PoolWork> pools, int maxConcurrent) {
        double longest = 0;
        String bound = null;
        double inFlight = 0;
        boolean known = true;
        for (PoolWork pool : pools) {
            for (Map.Entry<LimitKind, Long> limit : pool.limits().entrySet()) {
                double seconds = pool.secondsUnder(limit.getKey(), limit.getValue());
                if (seconds > longest) {
                    longest = seconds;
                    bound = limit.getKey().word() + " of " + pool.pool();
                }
            }
            Double each = pool.seconds();
            known &= each != null;
            inFlight += each == null ? 0 : pool.calls() * each;
        }
        double alone = inFlight / maxConcurrent;
        return known && alone > longest
                ? new CallForecast((long) Math.ceil(alone), "maxConcurrent")
                : new CallForecast((long) Math.ceil(longest), bound);
    }
}
