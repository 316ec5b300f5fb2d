package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;
import org.jspecify.annotations.Nullable;

/** Reads the usage of a chat completion itself: LangChain4j throws it away when the model refused. */
final class OpenAiUsage {

    private OpenAiUsage() {}

    /**
     * The usage; null when it is not reported.
     *
     * @param body a chat completion, which was parsed as JSON before
     */
    static @Nullable Usage of(String body) {
        JsonNode usage = Json.tree(body).path("usage");
        if (!usage.has("prompt_tokens") && !usage.has("completion_tokens")) {
            return null;
        }
        long input = count(usage.path("prompt_tokens"), 0);
        long output = count(usage.path("completion_tokens"), 0);
        return new Usage(
                input,
                output,
                count(usage.path("completion_tokens_details").path("reasoning_tokens"), 0),
                count(usage.path("prompt_tokens_details").path("cached_tokens"), 0),
                0,
                count(usage.path("total_tokens"), input + output));
    }

    private static long count(JsonNode number, long otherwise) {
        return Math.max(0, number.asLong(otherwise));
    }
}
