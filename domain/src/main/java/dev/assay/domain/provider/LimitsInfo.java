package dev.assay.domain.provider;

import com.fasterxml.jackson.annotation.JsonCreator;
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
 * @param concurrent the most calls in flight; null: as many as the provider allows
 * @param concurrentMin the fewest, where their number is found by trying; null: it is fixed
 * @param concurrentStart their number before anything is known; null: it is fixed
 * @param learn whether limits are taken from answers; null: they are
 */
public record LimitsInfo(
        String models,
        Map<String, Long> units,
        int burstSeconds,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer concurrent,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer concurrentMin,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer concurrentStart,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean learn) {

    @JsonCreator
    public LimitsInfo {
        units = Map.copyOf(units);
    }

    /** Limits of which the number of calls is fixed, and that answers may lower. */
    public LimitsInfo(String models, Map<String, Long> units, int burstSeconds, @Nullable Integer concurrent) {
        this(models, units, burstSeconds, concurrent, null, null, null);
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
        return new LimitsInfo(models, words, burstSeconds, concurrent, concurrentMin, concurrentStart, learn);
    }
}
