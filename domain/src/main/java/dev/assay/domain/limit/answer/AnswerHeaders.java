package dev.assay.domain.limit.answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an answer.
 *
 * @param values by their names, in any case; kept in lower case
 */
public record AnswerHeaders(Map<String, String> values) {

    /** No headers. */
    public static final AnswerHeaders NONE = new AnswerHeaders(Map.of());

    public AnswerHeaders {
        Map<String, String> lower = new LinkedHashMap<>();
        values.forEach((name, value) -> lower.put(name.toLowerCase(Locale.ROOT), value));
        values = Map.copyOf(lower);
    }

    /** Those of an answer in which a name may have several values: the first counts. */
    public static AnswerHeaders ofLists(Map<String, List<String>> values) {
        Map<String, String> first = new LinkedHashMap<>();
        values.forEach((name, all) -> all.stream().findFirst().ifPresent(value -> first.put(name, value)));
        return new AnswerHeaders(first);
    }

    /** The value of the header {@code name}, which is in lower case; null: there is none. */
    @Nullable
    String get(String name) {
        return values.get(name);
    }

    /** A whole number of units; null: there is none. */
    @Nullable
    Long units(String name) {
        return HeaderText.whole(get(name), HeaderText.MOST_UNITS);
    }
}
