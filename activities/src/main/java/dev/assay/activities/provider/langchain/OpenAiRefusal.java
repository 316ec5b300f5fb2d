package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.usage.Usage;
import org.jspecify.annotations.Nullable;

/** Reads a chat completion itself: LangChain4j throws away all but the words when the model refused. */
final class OpenAiRefusal {

    private OpenAiRefusal() {}

    /**
     * The usage; null when it is not reported.
     *
     * @param answer a chat completion
     */
    static @Nullable Usage usage(JsonNode answer) {
        JsonNode usage = answer.path("usage");
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

    /** The origin of the answer, as the answer states it. */
    static Served served(JsonNode answer) {
        return new Served(
                answer.path("model").textValue(),
                answer.path("system_fingerprint").textValue(),
                answer.path("service_tier").textValue());
    }

    private static long count(JsonNode number, long otherwise) {
        return Math.max(0, number.asLong(otherwise));
    }
}
