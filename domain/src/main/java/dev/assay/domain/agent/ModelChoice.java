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
}
