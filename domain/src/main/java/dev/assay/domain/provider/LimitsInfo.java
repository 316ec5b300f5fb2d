package dev.assay.domain.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a group of models, as a worker reports them.
 *
 * @param units units a period by the word of their limit
 * @param burstSeconds so many seconds' worth may go at once after a pause
 * @param concurrent calls in flight; null: as many as the provider allows
 */
public record LimitsInfo(
        String models,
        Map<String, Long> units,
        int burstSeconds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer concurrent) {

    public LimitsInfo {
        units = Map.copyOf(units);
    }
}
