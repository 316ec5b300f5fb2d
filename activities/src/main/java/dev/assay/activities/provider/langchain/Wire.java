package dev.assay.activities.provider.langchain;

import dev.assay.domain.agent.Thinking;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Set;

/** What differs between the APIs that LangChain4j speaks for us. */
sealed interface Wire permits OpenAiWire, AnthropicWire {

    /** The one model object of the provider; every request brings its own parameters. */
    ChatModel chatModel();

    /** The same for answers that are streamed. */
    StreamingChatModel streamingModel();

    /** The parameters of a request for {@code model}. */
    ChatRequestParameters parameters(String model, Asked asked);

    /** The most output tokens that a request can be billed for, thinking included. */
    int outputTokenBound(Thinking thinking, int maxOutputTokens);

    /** Tokens as the provider counts them; nothing where it reports nothing. */
    Usage usage(TokenUsage reported);

    /** Names of the settings in {@code parameters} that this API does not have, so that they are left out. */
    Set<String> unsupported(ModelParameters parameters);

    /**
     * How a model is asked.
     *
     * @param thinking how much it thinks; OFF also for a model that cannot
     * @param maxOutputTokens bound of the reply
     * @param tools what it may call
     */
    record Asked(ModelParameters parameters, Thinking thinking, int maxOutputTokens, List<ToolSpecification> tools) {}

    /** {@code count}, or 0 where a provider does not report it. */
    static long orZero(@org.jspecify.annotations.Nullable Integer count) {
        return count == null ? 0 : count;
    }
}
