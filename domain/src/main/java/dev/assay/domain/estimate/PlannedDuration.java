package dev.assay.domain.estimate;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.assay.domain.limit.CallForecast;
import dev.assay.domain.limit.PoolWork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The time that a campaign takes at least, by what is known.
 *
 * @param seconds null: neither limits nor times of calls are known
 * @param bound what bounds it, as in {@code tokensPerMinute of openai/gpt-6.1*}; null: nothing that is known
 */
public record PlannedDuration(
        @Nullable Long seconds, @Nullable String bound, TimeBasis basis) {

    /** The source of the time. */
    public enum TimeBasis {
        /** Times of calls of an earlier campaign, and limits. */
        @JsonProperty("recorded")
        RECORDED,
        /** Limits alone: it takes at least so long. */
        @JsonProperty("limits")
        LIMITS,
        /** Nothing is known. */
        @JsonProperty("unknown")
        UNKNOWN
    }

    /** @param trials of all cases together */
    static PlannedDuration of(List<PlannedCalls> calls, long trials, int maxConcurrent) {
        Map<String, PoolWork> pools = new LinkedHashMap<>();
        calls.forEach(one -> pools.merge(one.pool(), one.work(trials), PoolWork::and));
        CallForecast forecast = CallForecast.of(new ArrayList<>(pools.values()), maxConcurrent);
        boolean areTimesKnown = !pools.isEmpty() && pools.values().stream().noneMatch(pool -> pool.seconds() == null);
        if (forecast.bound() == null && !areTimesKnown) {
            return new PlannedDuration(null, null, TimeBasis.UNKNOWN);
        }
        return new PlannedDuration(
                forecast.seconds(), forecast.bound(), areTimesKnown ? TimeBasis.RECORDED : TimeBasis.LIMITS);
    }
}
