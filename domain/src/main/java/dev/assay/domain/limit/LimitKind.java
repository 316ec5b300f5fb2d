package dev.assay.domain.limit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The limits that a provider may set. Their words are those of files, the API and the database. */
public enum LimitKind {
    REQUESTS_PER_MINUTE("requestsPerMinute", LimitUnit.REQUESTS, LimitPeriod.MINUTE),
    INPUT_TOKENS_PER_MINUTE("inputTokensPerMinute", LimitUnit.INPUT, LimitPeriod.MINUTE),
    OUTPUT_TOKENS_PER_MINUTE("outputTokensPerMinute", LimitUnit.OUTPUT, LimitPeriod.MINUTE),
    TOKENS_PER_MINUTE("tokensPerMinute", LimitUnit.TOKENS, LimitPeriod.MINUTE),
    REQUESTS_PER_DAY("requestsPerDay", LimitUnit.REQUESTS, LimitPeriod.DAY),
    INPUT_TOKENS_PER_DAY("inputTokensPerDay", LimitUnit.INPUT, LimitPeriod.DAY),
    OUTPUT_TOKENS_PER_DAY("outputTokensPerDay", LimitUnit.OUTPUT, LimitPeriod.DAY),
    TOKENS_PER_DAY("tokensPerDay", LimitUnit.TOKENS, LimitPeriod.DAY);

    private static final Map<String, LimitKind> BY_WORD = words();

    private final String word;
    private final LimitUnit unit;
    private final LimitPeriod period;

    LimitKind(String word, LimitUnit unit, LimitPeriod period) {
        this.word = word;
        this.unit = unit;
        this.period = period;
    }

    private static Map<String, LimitKind> words() {
        Map<String, LimitKind> kinds = new LinkedHashMap<>();
        for (LimitKind kind : values()) {
            kinds.put(kind.word, kind);
        }
        return Collections.unmodifiableMap(kinds);
    }

    /** All kinds by their words, in the order of the constants. */
    public static Map<String, LimitKind> byWord() {
        return BY_WORD;
    }

    /** The limit of {@code unit} in {@code period}. */
    public static LimitKind of(LimitUnit unit, LimitPeriod period) {
        for (LimitKind kind : values()) {
            if (kind.unit == unit && kind.period == period) {
                return kind;
            }
        }
        throw new IllegalStateException("No limit of " + unit + " in a " + period);
    }

    public String word() {
        return word;
    }

    public LimitUnit unit() {
        return unit;
    }

    public LimitPeriod period() {
        return period;
    }
}
