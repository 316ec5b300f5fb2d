package dev.assay.domain.limit.answer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.LimitPeriod;
import dev.assay.domain.limit.LimitUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the limits that the words of a refusal name. */
final class NamedLimits {

    /** OpenAI and its likes. */
    private static final Pattern SENTENCE =
            Pattern.compile("on (input tokens|output tokens|tokens|requests) per (min|minute|day) \\([A-Z]+\\):"
                    + " Limit (\\d++)(?:, Used (\\d++))?");

    private static final Map<String, LimitUnit> UNITS = Map.of(
            "input tokens", LimitUnit.INPUT,
            "output tokens", LimitUnit.OUTPUT,
            "tokens", LimitUnit.TOKENS,
            "requests", LimitUnit.REQUESTS);

    private final EnumMap<LimitKind, Naming> found = new EnumMap<>(LimitKind.class);

    /**
     * A limit that a refusal names.
     *
     * @param limit units a period; null: it names the limit, not its size
     * @param remaining null: it does not say
     */
    record Naming(@Nullable Long limit, @Nullable Long remaining) {}

    private NamedLimits() {}

    /** The limits, by kind. */
    static Map<LimitKind, Naming> of(RefusalBody body) {
        NamedLimits limits = new NamedLimits();
        limits.readSentence(body.message());
        body.violations().forEach(limits::readViolation);
        return limits.found;
    }

    private void readSentence(String message) {
        Matcher sentence = SENTENCE.matcher(message);
        LimitUnit unit = sentence.find() ? UNITS.get(sentence.group(1)) : null;
        if (unit != null) {
            Long limit = units(sentence.group(3));
            Long used = units(sentence.group(4));
            found.put(
                    LimitKind.of(unit, "day".equals(sentence.group(2)) ? LimitPeriod.DAY : LimitPeriod.MINUTE),
                    new Naming(
                            positive(limit), limit == null || used == null ? null : (Long) Math.max(0, limit - used)));
        }
    }

    /** One of the quotas that Google says are exhausted. */
    private void readViolation(JsonNode violation) {
        String id = violation.path("quotaId").asText("");
        LimitPeriod period =
                id.contains("PerDay") ? LimitPeriod.DAY : id.contains("PerMinute") ? LimitPeriod.MINUTE : null;
        LimitUnit unit =
                id.contains("InputTokens") ? LimitUnit.INPUT : id.contains("Requests") ? LimitUnit.REQUESTS : null;
        if (period != null && unit != null) {
            Long limit = units(violation.path("quotaValue").asText(""));
            found.putIfAbsent(LimitKind.of(unit, period), new Naming(positive(limit), null));
        }
    }

    private static @Nullable Long units(@Nullable String text) {
        return HeaderText.whole(text, HeaderText.MOST_UNITS);
    }

    private static @Nullable Long positive(@Nullable Long units) {
        return units == null || units == 0 ? null : units;
    }
}
