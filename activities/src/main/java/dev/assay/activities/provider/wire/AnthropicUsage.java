package dev.assay.activities.provider.wire;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.usage.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The usage of an answer of Anthropic, as it was sent.
 *
 * @param reported the numbers under Anthropic's names; empty: there are none
 */
public record AnthropicUsage(JsonNode reported) {

    static final String OUTPUT = "output_tokens";

    /**
     * Anthropic counts input tokens apart from those read from and written to the cache. Assay counts the former in the
     * input, as OpenAI does, and the latter apart; all of them are in the total.
     */
    public Usage tokens() {
        Long read = Wire.count(reported.path("cache_read_input_tokens"));
        Long written = Wire.count(reported.path("cache_creation_input_tokens"));
        Long uncached = Wire.count(reported.path("input_tokens"));
        Long output = Wire.count(reported.path(OUTPUT));
        Long input = uncached == null ? null : (Long) (uncached + orNone(read));
        Long total = input == null || output == null ? null : (Long) (input + output + orNone(written));
        return new Usage(input, output, null, read, written, total);
    }

    private static long orNone(@Nullable Long count) {
        return count == null ? 0 : count;
    }
}
