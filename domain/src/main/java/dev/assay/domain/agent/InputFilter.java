package dev.assay.domain.agent;

import dev.assay.domain.pattern.GuardedPattern;
import dev.assay.domain.text.CaseFolding;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A rule on the user's input, checked before anything is sent (docs/campaign-file.md).
 *
 * @param rejects whether an input that it finds is refused; else it is sent, with a warning
 * @param message the text of the warning or refusal; null: the rule in words
 */
public record InputFilter(
        Rule rule, boolean rejects, @Nullable String message) {

    /** The condition of a filter. */
    public sealed interface Rule {

        /** More than {@code max} Unicode code points. */
        record MaxLength(int max) implements Rule {}

        /** A match of a regular expression (Java syntax) anywhere. */
        record Regex(String value) implements Rule {}

        /** A text, upper and lower case alike. */
        record Contains(String value) implements Rule {}
    }

    /** The message about {@code input}; null: the filter does not match. */
    public @Nullable String finds(String input) {
        String found = switch (rule) {
            case Rule.MaxLength(int max) -> {
                int length = input.codePointCount(0, input.length());
                yield length > max ? "The input has %d characters; %d are allowed.".formatted(length, max) : null;
            }
            case Rule.Regex(String value) -> matches(value, input) ? matched(value) : null;
            case Rule.Contains(String value) ->
                CaseFolding.fold(input).contains(CaseFolding.fold(value))
                        ? "The input contains \"%s\".".formatted(value)
                        : null;
        };
        return found == null || message == null ? found : message;
    }

    /** The message about an input in which the filter's pattern was found. */
    public String found() {
        return message != null ? message : rule instanceof Rule.Regex(String value) ? matched(value) : "";
    }

    private static String matched(String pattern) {
        return "The input matches the pattern %s.".formatted(pattern);
    }

    /**
     * A pattern that cannot be decided counts as found. A filter must not be passed by making it slow, nor because it was stored
     * when more patterns were allowed.
     */
    public static boolean matches(String value, String input) {
        try {
            return GuardedPattern.compile(value).find(input);
        } catch (GuardedPattern.TooLongException | PatternSyntaxException e) {
            return true;
        }
    }
}
