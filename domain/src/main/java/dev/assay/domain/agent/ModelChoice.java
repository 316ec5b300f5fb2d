package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which model answers, and how it is asked.
 *
 * @param provider a provider configured on the server
 * @param model the provider's name of the model
 * @param thinking how much it thinks
 * @param parameters further settings such as {@code temperature}, {@code maxOutputTokens}, {@code topP}, {@code seed}
 */
public record ModelChoice(String provider, String model, Thinking thinking, Map<String, JsonNode> parameters) {

    public ModelChoice {
        parameters = java.util.Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** How loop ids name the model: {@code {provider}.{model}}, and whether it thinks (semantics A5). */
    public String segment() {
        return provider + "." + slug(model) + (thinking == Thinking.OFF ? "" : ".thinking");
    }

    /** {@code model} with every code point that is neither a letter, a number nor a hyphen turned into one hyphen. */
    private static String slug(String model) {
        StringBuilder slug = new StringBuilder(model.length());
        model.codePoints()
                .map(codePoint -> isLetterOrNumber(codePoint) ? codePoint : '-')
                .forEach(slug::appendCodePoint);
        return slug.toString();
    }

    private static boolean isLetterOrNumber(int codePoint) {
        int category = Character.getType(codePoint);
        return Character.isLetterOrDigit(codePoint)
                || category == Character.LETTER_NUMBER
                || category == Character.OTHER_NUMBER;
    }
}
