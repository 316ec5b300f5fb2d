package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.usage.Usage;

/** Reads a chat completion itself: LangChain4j throws away all but the words when the model refused. */
final class OpenAiRefusal {

    private OpenAiRefusal() {}

    /**
     * The usage, as far as it is reported.
     *
     * @param answer a chat completion
     */
    static Usage usage(JsonNode answer) {
        JsonNode usage = answer.path("usage");
        Long input = Wire.count(usage.path("prompt_tokens"));
        Long output = Wire.count(usage.path("completion_tokens"));
        return new Usage(
                input,
                output,
                Wire.count(usage.path("completion_tokens_details").path("reasoning_tokens")),
                Wire.count(usage.path("prompt_tokens_details").path("cached_tokens")),
                null,
                Usage.total(Wire.count(usage.path("total_tokens")), input, output));
    }

    /** The origin of the answer, as the answer states it. */
    static Served served(JsonNode answer) {
        return new Served(
                answer.path("model").textValue(),
                answer.path("system_fingerprint").textValue(),
                answer.path("service_tier").textValue());
    }
}
