package dev.assay.domain.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.json.Json;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A model, and the settings with which it is asked.
 *
 * @param provider a provider configured on the server
 * @param model the provider's name of the model
 * @param thinkingOptional whether a model that refuses to think is asked without it; no part of the question
 * @param parameters further settings such as {@code temperature}, {@code maxOutputTokens}, {@code topP}, {@code seed}
 */
public record ModelChoice(
        String provider, String model, Thinking thinking, boolean thinkingOptional, Map<String, JsonNode> parameters) {

    public ModelChoice {
        parameters = java.util.Collections.unmodifiableMap(new TreeMap<>(parameters));
    }

    /** A model whose thinking is not optional. */
    public ModelChoice(String provider, String model, Thinking thinking, Map<String, JsonNode> parameters) {
        this(provider, model, thinking, false, parameters);
    }

    /** Everything that the user states, in the words of the campaign file. */
    public ObjectNode asRequested() {
        ObjectNode requested = Json.mapper().createObjectNode();
        requested.put("provider", provider);
        requested.put("model", model);
        requested.put("thinking", thinking.word());
        // Absent where it is false: builds before it know no such field.
        if (thinkingOptional) {
            requested.put("thinkingOptional", true);
        }
        ObjectNode settings = requested.putObject("parameters");
        parameters.forEach(settings::set);
        return requested;
    }

    /** The same for the record of an answer. */
    ObjectNode onRecord() {
        ObjectNode requested = asRequested();
        ResponseFormat format = responseFormat();
        if (format != null) {
            requested.withObjectProperty("parameters").set(ResponseFormat.PARAMETER, format.named());
        }
        return requested;
    }

    /**
     * The form in which it is asked to answer; null: it is free.
     *
     * @throws IllegalArgumentException when the parameter is none
     */
    public @Nullable ResponseFormat responseFormat() {
        JsonNode parameter = parameters.get(ResponseFormat.PARAMETER);
        return parameter == null || parameter.isNull() ? null : ResponseFormat.of(parameter);
    }

    /** The estimated tokens that the schema of its answers adds to each request, at least 0. */
    public long formatTokens() {
        return responseFormat() instanceof ResponseFormat.BySchema format
                ? TokenEstimate.of(format.schema().toString())
                : 0;
    }

    /** The model's name, for people. */
    AgentName name() {
        return new AgentName(provider, model);
    }

    /** The model's name in loop ids: {@code {provider}.{model}}, and whether it thinks (docs/evaluations.md). */
    public String segment() {
        return provider + "." + slug(model) + (thinking == Thinking.OFF ? "" : ".thinking");
    }

    /** {@code model} with every code point that is neither a letter, a number nor a hyphen turned into one hyphen. */
    static String slug(String model) {
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
