package dev.assay.domain.promptfoo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Settings of models that providers, prompts and options name alike. */
final class Parameters {

    /** Our word by theirs. */
    static final Map<String, String> WORDS = Map.of(
            "temperature", "temperature",
            "max_tokens", "maxOutputTokens",
            "max_completion_tokens", "maxOutputTokens",
            "maxOutputTokens", "maxOutputTokens",
            "top_p", "topP",
            "seed", "seed",
            "stop", "stop",
            "frequency_penalty", "frequencyPenalty",
            "presence_penalty", "presencePenalty");

    private Parameters() {}

    /** Puts those among {@code settings} over those that a branch has. What is no model has none. */
    static void put(JsonNode settings, ObjectNode branch) {
        if (branch.has("provider")) {
            settings.properties().forEach(field -> {
                String word = WORDS.get(field.getKey());
                if (word != null) {
                    branch.withObjectProperty("parameters").set(word, field.getValue());
                }
            });
        }
    }
}
