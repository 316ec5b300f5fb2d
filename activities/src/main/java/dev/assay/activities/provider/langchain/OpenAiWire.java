package dev.assay.activities.provider.langchain;

import dev.assay.activities.provider.langchain.Wire.ThinkingForm;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.provider.ProviderType;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import dev.langchain4j.model.openai.OpenAiChatResponseMetadata;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.openai.OpenAiTokenUsage.InputTokensDetails;
import dev.langchain4j.model.openai.OpenAiTokenUsage.OutputTokensDetails;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** OpenAI's chat completions, and the many servers that speak them. */
final class OpenAiWire implements Wire {

    private final ProviderType type;
    private final boolean openAiHost;
    private final OpenAiChatModel model;
    private final OpenAiStreamingChatModel streamingModel;

    OpenAiWire(ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http) {
        this.type = settings.type();
        this.openAiHost =
                settings.baseUrl().getHost().toLowerCase(java.util.Locale.ROOT).endsWith(".openai.com");
        this.model = OpenAiChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? null : key.value())
                .maxRetries(0)
                .returnThinking(true)
                .build();
        this.streamingModel = OpenAiStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? null : key.value())
                .returnThinking(true)
                .build();
    }

    @Override
    public List<ThinkingForm> thinkingForms() {
        return List.of(ThinkingForm.EFFORT);
    }

    @Override
    public ChatModel chatModel(Thinking thinking, ThinkingForm form) {
        return model;
    }

    @Override
    public StreamingChatModel streamingModel(Thinking thinking, ThinkingForm form) {
        return streamingModel;
    }

    @Override
    public ChatRequestParameters parameters(String modelName, Asked asked) {
        ModelParameters wanted = asked.parameters();
        OpenAiChatRequestParameters.Builder builder = OpenAiChatRequestParameters.builder()
                .modelName(modelName)
                .temperature(wanted.temperature())
                .topP(wanted.topP())
                .frequencyPenalty(wanted.frequencyPenalty())
                .presencePenalty(wanted.presencePenalty());
        if (!wanted.stop().isEmpty()) {
            builder.stopSequences(wanted.stop());
        }
        if (!asked.tools().isEmpty()) {
            builder.toolSpecifications(asked.tools());
        }
        // OpenAI's reasoning models refuse max_tokens; compatible servers often know nothing else.
        if (openAiHost) {
            builder.maxCompletionTokens(asked.maxOutputTokens());
        } else {
            builder.maxOutputTokens(asked.maxOutputTokens());
        }
        if (wanted.seed() != null && type == ProviderType.MISTRAL) {
            builder.customParameters(Map.of("random_seed", wanted.seed()));
        } else {
            builder.seed(wanted.seed());
        }
        if (asked.form() == ThinkingForm.EFFORT) {
            builder.reasoningEffort(Wire.effort(asked.thinking()));
        }
        return builder.build();
    }

    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        return maxOutputTokens;
    }

    @Override
    public Usage usage(ChatResponseMetadata metadata) {
        TokenUsage reported = metadata.tokenUsage();
        if (reported == null) {
            return Usage.UNKNOWN;
        }
        Long input = Wire.count(reported.inputTokenCount());
        Long output = Wire.count(reported.outputTokenCount());
        OutputTokensDetails ofOutput =
                reported instanceof OpenAiTokenUsage detailed ? detailed.outputTokensDetails() : null;
        InputTokensDetails ofInput =
                reported instanceof OpenAiTokenUsage detailed ? detailed.inputTokensDetails() : null;
        return new Usage(
                input,
                output,
                ofOutput == null ? null : Wire.count(ofOutput.reasoningTokens()),
                ofInput == null ? null : Wire.count(ofInput.cachedTokens()),
                null,
                Usage.total(Wire.count(reported.totalTokenCount()), input, output));
    }

    @Override
    public Served served(ChatResponseMetadata metadata) {
        return metadata instanceof OpenAiChatResponseMetadata detailed
                ? new Served(detailed.modelName(), detailed.systemFingerprint(), detailed.serviceTier())
                : new Served(metadata.modelName(), null, null);
    }

    @Override
    public Set<String> unsupported(ModelParameters parameters) {
        return Set.of();
    }
}
