package dev.assay.domain.check;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The comparison of an answer with its target, by the name of a check. */
public enum TargetCheck {
    ICONTAINS,
    CONTAINS,
    EQUALS,
    STARTS_WITH,
    REGEX;

    /** The name that users write. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The check of an answer that must reach one of {@code targets}, at least one. */
    public ObjectNode check(List<String> targets) {
        return switch (this) {
            case ICONTAINS, CONTAINS -> contains(targets);
            case EQUALS, STARTS_WITH ->
                targets.size() == 1
                        ? of(word()).put("value", targets.getFirst())
                        : regex("\\A\\s*(?:" + alternatives(targets) + ")" + (this == EQUALS ? "\\s*\\z" : ""));
            case REGEX -> regex(targets.size() == 1 ? targets.getFirst() : "(?:" + String.join("|", targets) + ")");
        };
    }

    private ObjectNode contains(List<String> targets) {
        if (targets.size() == 1) {
            return of(word()).put("value", targets.getFirst());
        }
        ObjectNode check = of(word() + "-any");
        targets.forEach(check.putArray("value")::add);
        return check;
    }

    private static String alternatives(List<String> targets) {
        return targets.stream().map(String::strip).map(Pattern::quote).collect(Collectors.joining("|"));
    }

    /** The check of an answer that chooses letters, as Inspect asks for it. */
    public static ObjectNode choice(List<String> letters) {
        return regex("(?i)ANSWER\\s*:\\s*\\(?(?:" + String.join("\\s*,?\\s*", letters) + ")\\b");
    }

    private static ObjectNode regex(String pattern) {
        return of("regex").put("value", pattern);
    }

    private static ObjectNode of(String type) {
        return JsonNodeFactory.instance.objectNode().put("type", type);
    }
}
