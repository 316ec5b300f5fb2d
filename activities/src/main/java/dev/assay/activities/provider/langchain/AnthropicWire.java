package dev.assay.activities.provider.langchain;

import dev.assay.domain.agent.Thinking;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicChatRequestParameters;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.output.TokenUsage;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Anthropic's messages. */
final class AnthropicWire implements Wire {

    /** LangChain4j insists on a key; servers that need none ignore it. */
    private static final String NO_KEY = "none";

    private final AnthropicChatModel model;
    private final AnthropicStreamingChatModel streamingModel;

    AnthropicWire(ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http) {
        this.model = AnthropicChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? NO_KEY : key.value())
                .maxRetries(0)
                .sendThinking(true)
                .build();
        this.streamingModel = AnthropicStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? NO_KEY : key.value())
                .sendThinking(true)
                .build();
    }

    @Override
    public ChatModel chatModel() {
        return model;
    }

    @Override
    public StreamingChatModel streamingModel() {
        return streamingModel;
    }

    @Override
    public ChatRequestParameters parameters(String modelName, Asked asked) {
        ModelParameters wanted = asked.parameters();
        AnthropicChatRequestParameters.Builder builder = AnthropicChatRequestParameters.builder()
                .modelName(modelName)
                .temperature(wanted.temperature())
                .topP(wanted.topP())
                .maxOutputTokens(outputTokenBound(asked.thinking(), asked.maxOutputTokens()))
                .returnThinking(true);
        if (!wanted.stop().isEmpty()) {
            builder.stopSequences(wanted.stop());
        }
        if (!asked.tools().isEmpty()) {
            builder.toolSpecifications(asked.tools());
        }
        if (asked.thinking() != Thinking.OFF) {
            builder.thinkingType("enabled").thinkingBudgetTokens(budget(asked.thinking()));
        }
        return builder.build();
    }

    /** Tokens to think with (semantics A6); the API takes no fewer than 1,024. */
    private static int budget(Thinking thinking) {
        return switch (thinking) {
            case OFF -> 0;
            case MINIMAL, LOW -> 1_024;
            case MEDIUM -> 2_048;
            case HIGH -> 8_192;
        };
    }

    /** The API wants {@code max_tokens} above the budget; where it is not, the budget comes on top of it. */
    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        int budget = budget(thinking);
        return maxOutputTokens > budget ? maxOutputTokens : Math.addExact(budget, maxOutputTokens);
    }

    /**
     * Anthropic counts input tokens apart from those read from and written to the cache. Assay counts the former in the
     * input, as OpenAI does, and the latter apart; all of them are in the total.
     */
    @Override
    public Usage usage(TokenUsage reported) {
        long read = 0;
        long written = 0;
        if (reported instanceof AnthropicTokenUsage detailed) {
            read = Wire.orZero(detailed.cacheReadInputTokens());
            written = Wire.orZero(detailed.cacheCreationInputTokens());
        }
        long input = Wire.orZero(reported.inputTokenCount()) + read;
        long output = Wire.orZero(reported.outputTokenCount());
        return new Usage(input, output, 0, read, written, input + output + written);
    }

    @Override
    public Set<String> unsupported(ModelParameters parameters) {
        Set<String> unsupported = new TreeSet<>();
        if (parameters.seed() != null) {
            unsupported.add("seed");
        }
        if (parameters.frequencyPenalty() != null) {
            unsupported.add("frequencyPenalty");
        }
        if (parameters.presencePenalty() != null) {
            unsupported.add("presencePenalty");
        }
        return unsupported;
    }
}
