package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.usage.Usage;

/** The names under which OpenAI reports the usage of an answer, which differ from API to API. */
public enum OpenAiUsage {
    COMPLETIONS("prompt_tokens", "completion_tokens"),
    RESPONSES("input_tokens", "output_tokens");

    private final String input;
    private final String output;

    OpenAiUsage(String input, String output) {
        this.input = input;
        this.output = output;
    }

    /**
     * The tokens, as far as they are reported.
     *
     * @param reported the usage of an answer; anything
     */
    public Usage tokens(JsonNode reported) {
        Long in = Wire.count(reported.path(input));
        Long out = Wire.count(reported.path(output));
        return new Usage(
                in,
                out,
                Wire.count(ofOutput(reported)),
                Wire.count(ofInput(reported)),
                null,
                Usage.total(Wire.count(reported.path("total_tokens")), in, out));
    }

    /**
     * The same of an answer that has yet to be taken for one.
     *
     * @throws IllegalArgumentException when a count is below 0
     */
    Usage ofAnswer(JsonNode reported) {
        JsonNode total = reported.path("total_tokens");
        for (JsonNode count : new JsonNode[] {
            reported.path(input), reported.path(output), ofInput(reported), ofOutput(reported), total
        }) {
            if (count.isNumber() && count.doubleValue() < 0) {
                throw new IllegalArgumentException("a count is below 0");
            }
        }
        return tokens(reported);
    }

    private JsonNode ofInput(JsonNode reported) {
        return reported.path(input + "_details").path("cached_tokens");
    }

    private JsonNode ofOutput(JsonNode reported) {
        return reported.path(output + "_details").path("reasoning_tokens");
    }
}
