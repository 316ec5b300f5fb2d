package dev.assay.domain.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.assay.domain.limit.LimitKind;
import java.util.EnumMap;
import java.util.LinkedHashMap;
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

    /** Its limits that this build knows. */
    public Map<LimitKind, Long> known() {
        Map<LimitKind, Long> known = new EnumMap<>(LimitKind.class);
        LimitKind.byWord().forEach((word, kind) -> {
            Long limit = units.get(word);
            if (limit != null) {
                known.put(kind, limit);
            }
        });
        return known;
    }

    /** The same group with other limits. */
    public LimitsInfo with(Map<LimitKind, Long> limits) {
        Map<String, Long> words = new LinkedHashMap<>();
        limits.forEach((kind, limit) -> words.put(kind.word(), limit));
        return new LimitsInfo(models, words, burstSeconds, concurrent);
    }
}
