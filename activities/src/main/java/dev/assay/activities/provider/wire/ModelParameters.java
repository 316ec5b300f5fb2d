package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.ModelChoice;
import dev.assay.domain.agent.ResponseFormat;
import dev.assay.domain.document.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a model, typed. A null component: the provider's own default.
 *
 * @param temperature randomness; the range is the provider's
 * @param topP share of the probability mass that is sampled
 * @param seed for answers that can be had again
 * @param stop texts that end the answer; empty: none
 * @param frequencyPenalty against words that were said often
 * @param presencePenalty against words that were said at all
 */
record ModelParameters(
        @Nullable Double temperature,
        @Nullable Double topP,
        @Nullable Integer seed,
        List<String> stop,
        @Nullable Double frequencyPenalty,
        @Nullable Double presencePenalty,
        @Nullable ResponseFormat responseFormat) {

    private static final List<String> KNOWN = List.of(
            "temperature",
            "topP",
            "maxOutputTokens",
            "seed",
            "stop",
            "frequencyPenalty",
            "presencePenalty",
            ResponseFormat.PARAMETER);

    ModelParameters {
        stop = List.copyOf(stop);
    }

    /**
     * Reads a branch's parameters. {@code maxOutputTokens} is known but not read: each request states its own bound.
     *
     * @throws IllegalArgumentException when a parameter is not known or has a value of the wrong kind
     */
    static ModelParameters of(ModelChoice choice) {
        Map<String, JsonNode> parameters = choice.parameters();
        for (String name : parameters.keySet()) {
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException(
                        "there is no parameter " + name + "; " + Suggestion.of(name, KNOWN, "parameters"));
            }
        }
        return new ModelParameters(
                number(parameters, "temperature"),
                number(parameters, "topP"),
                integer(parameters, "seed"),
                texts(parameters, "stop"),
                number(parameters, "frequencyPenalty"),
                number(parameters, "presencePenalty"),
                choice.responseFormat());
    }

    private static @Nullable Double number(Map<String, JsonNode> parameters, String name) {
        JsonNode value = parameters.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw new IllegalArgumentException("parameter " + name + " must be a number, but is " + value);
        }
        return value.doubleValue();
    }

    private static @Nullable Integer integer(Map<String, JsonNode> parameters, String name) {
        JsonNode value = parameters.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw new IllegalArgumentException(
                    "parameter " + name + " must be a whole number of 32 bits, but is " + value);
        }
        return value.intValue();
    }

    private static List<String> texts(Map<String, JsonNode> parameters, String name) {
        JsonNode value = parameters.get(name);
        if (value == null || value.isNull()) {
            return List.of();
        }
        if (value.isTextual()) {
            return List.of(value.textValue());
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode element : value) {
            if (element.isTextual()) {
                texts.add(element.textValue());
            }
        }
        if (!value.isArray() || texts.size() != value.size()) {
            throw new IllegalArgumentException(
                    "parameter " + name + " must be a text or a list of texts, but is " + value);
        }
        return texts;
    }
}
