package dev.assay.activities.provider.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The differences between the APIs that LangChain4j speaks for Assay. */
sealed interface Wire permits OpenAiWire, AnthropicWire {

    /** The form in which an API is asked to let a model think. */
    enum ThinkingForm {
        /** No setting for thinking is sent. */
        NONE,
        /** OpenAI's {@code reasoning_effort}. */
        EFFORT,
        /** Anthropic's {@code thinking: {type: adaptive}} with {@code output_config.effort}, from Claude 4.6 on. */
        ADAPTIVE,
        /** Anthropic's {@code thinking: {type: enabled}} with a budget of tokens, up to Claude 4.6. */
        BUDGET
    }

    /** The forms in which models of this API are asked to think, the newest first. */
    List<ThinkingForm> thinkingForms();

    /** The model object that sends requests of this kind; every request brings its own parameters. */
    ChatModel chatModel(Thinking thinking, ThinkingForm form);

    /** The same for answers that are streamed. */
    StreamingChatModel streamingModel(Thinking thinking, ThinkingForm form);

    /** The parameters of a request for {@code model}. */
    ChatRequestParameters parameters(String model, Asked asked);

    /** The most output tokens that a request can be billed for, thinking included. */
    int outputTokenBound(Thinking thinking, int maxOutputTokens);

    /** Tokens as the provider counts them, as far as it reports them. */
    Usage usage(ChatResponseMetadata metadata);

    /** The origin of the answer, as the answer states it. */
    Served served(ChatResponseMetadata metadata);

    /** Names of the settings in {@code parameters} that this API does not have, so that they are left out. */
    Set<String> unsupported(ModelParameters parameters);

    /**
     * The settings with which a model is asked.
     *
     * @param thinking how much it thinks
     * @param form in which that is asked for; NONE: it is not
     * @param maxOutputTokens bound of the reply
     * @param tools what it may call
     */
    record Asked(
            ModelParameters parameters,
            Thinking thinking,
            ThinkingForm form,
            int maxOutputTokens,
            List<ToolSpecification> tools) {}

    /** The word for the amount of thinking, in every API that has such words (docs/campaign-file.md). */
    static String effort(Thinking thinking) {
        return switch (thinking) {
            case OFF -> throw new IllegalArgumentException("A model that is not asked to think has no effort");
            case MINIMAL, LOW -> "low";
            case MEDIUM, HIGH, XHIGH, MAX -> thinking.word();
        };
    }

    /** {@code count} as a long; null where a provider does not report it. */
    static @Nullable Long count(@Nullable Integer count) {
        return count == null ? null : (Long) count.longValue();
    }

    /** The number of tokens that {@code reported} is; null: it is none. */
    static @Nullable Long count(JsonNode reported) {
        return reported.isIntegralNumber() && reported.canConvertToInt() && reported.intValue() >= 0
                ? (Long) reported.longValue()
                : null;
    }
}
