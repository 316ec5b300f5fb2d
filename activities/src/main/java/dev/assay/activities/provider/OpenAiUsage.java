package dev.assay.activities.provider;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.json.Json;
import dev.assay.domain.usage.Usage;

/** Reads the usage of a chat completion itself: LangChain4j throws it away when the model refused. */
final class OpenAiUsage {

    private OpenAiUsage() {}

    /**
     * @param body a chat completion, which was parsed as JSON before
     */
    static Usage of(String body) {
        JsonNode usage = Json.tree(body).path("usage");
        long input = usage.path("prompt_tokens").asLong();
        long output = usage.path("completion_tokens").asLong();
        return new Usage(
                input,
                output,
                usage.path("completion_tokens_details").path("reasoning_tokens").asLong(),
                usage.path("prompt_tokens_details").path("cached_tokens").asLong(),
                0,
                usage.path("total_tokens").asLong(input + output));
    }
}
