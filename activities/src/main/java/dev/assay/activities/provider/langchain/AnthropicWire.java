package dev.assay.activities.provider.langchain;

import dev.assay.activities.provider.langchain.Wire.ThinkingForm;
import dev.assay.domain.agent.Served;
import dev.assay.domain.agent.Thinking;
import dev.assay.domain.provider.ProviderSettings;
import dev.assay.domain.usage.Usage;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicChatModel.AnthropicChatModelBuilder;
import dev.langchain4j.model.anthropic.AnthropicChatRequestParameters;
import dev.langchain4j.model.anthropic.AnthropicChatResponseMetadata;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel.AnthropicStreamingChatModelBuilder;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponseMetadata;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Anthropic's messages. */
final class AnthropicWire implements Wire {

    /** LangChain4j insists on a key; servers that need none ignore it. */
    private static final String NO_KEY = "none";

    private final ModelObjects plain;

    /** One for each level: LangChain4j takes {@code output_config.effort} for a model object only. */
    private final Map<Thinking, ModelObjects> adaptive = new EnumMap<>(Thinking.class);

    /** The senders of requests of one kind. */
    private record ModelObjects(ChatModel whole, StreamingChatModel streaming) {}

    AnthropicWire(ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http) {
        this.plain = new ModelObjects(
                builder(settings, key, http).build(),
                streamingBuilder(settings, key, http).build());
        EnumSet.complementOf(EnumSet.of(Thinking.OFF))
                .forEach(thinking -> adaptive.put(thinking, adaptive(settings, key, http, effort(thinking))));
    }

    private static Map<String, Object> effort(Thinking thinking) {
        return Map.of("output_config", Map.of("effort", Wire.effort(thinking)));
    }

    /** Without a setting of the display, newer models do not show their thoughts. */
    private static ModelObjects adaptive(
            ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http, Map<String, Object> effort) {
        return new ModelObjects(
                builder(settings, key, http)
                        .thinkingType("adaptive")
                        .thinkingDisplay("summarized")
                        .customParameters(effort)
                        .build(),
                streamingBuilder(settings, key, http)
                        .thinkingType("adaptive")
                        .thinkingDisplay("summarized")
                        .customParameters(effort)
                        .build());
    }

    private static AnthropicChatModelBuilder builder(
            ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http) {
        return AnthropicChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? NO_KEY : key.value())
                .maxRetries(0)
                .sendThinking(true);
    }

    private static AnthropicStreamingChatModelBuilder streamingBuilder(
            ProviderSettings settings, @Nullable ApiKey key, HttpClientBuilder http) {
        return AnthropicStreamingChatModel.builder()
                .httpClientBuilder(http)
                .baseUrl(settings.apiUrl())
                .apiKey(key == null ? NO_KEY : key.value())
                .sendThinking(true);
    }

    @Override
    public List<ThinkingForm> thinkingForms() {
        return List.of(ThinkingForm.ADAPTIVE, ThinkingForm.BUDGET);
    }

    @Override
    public ChatModel chatModel(Thinking thinking, ThinkingForm form) {
        return objects(thinking, form).whole();
    }

    @Override
    public StreamingChatModel streamingModel(Thinking thinking, ThinkingForm form) {
        return objects(thinking, form).streaming();
    }

    private ModelObjects objects(Thinking thinking, ThinkingForm form) {
        return form == ThinkingForm.ADAPTIVE ? Objects.requireNonNull(adaptive.get(thinking)) : plain;
    }

    @Override
    public ChatRequestParameters parameters(String modelName, Asked asked) {
        ModelParameters wanted = asked.parameters();
        AnthropicChatRequestParameters.Builder builder = AnthropicChatRequestParameters.builder()
                .modelName(modelName)
                .temperature(wanted.temperature())
                .topP(wanted.topP())
                .maxOutputTokens(outputTokenBound(
                        asked.form() == ThinkingForm.NONE ? Thinking.OFF : asked.thinking(), asked.maxOutputTokens()))
                .returnThinking(true);
        if (!wanted.stop().isEmpty()) {
            builder.stopSequences(wanted.stop());
        }
        if (!asked.tools().isEmpty()) {
            builder.toolSpecifications(asked.tools());
        }
        if (asked.form() == ThinkingForm.BUDGET) {
            builder.thinkingType("enabled").thinkingBudgetTokens(budget(asked.thinking()));
        }
        return builder.build();
    }

    /**
     * Tokens to think with (docs/campaign-file.md); the API takes no fewer than 1,024. The largest budget leaves room for an answer of the
     * default size below 32,000 tokens. No model that thinks has a smaller output limit.
     */
    private static int budget(Thinking thinking) {
        return switch (thinking) {
            case OFF -> 0;
            case MINIMAL, LOW -> 1_024;
            case MEDIUM -> 2_048;
            case HIGH -> 8_192;
            case XHIGH -> 16_384;
            case MAX -> 24_576;
        };
    }

    /** The API wants {@code max_tokens} above the budget; where it is not, the budget comes on top of it. */
    @Override
    public int outputTokenBound(Thinking thinking, int maxOutputTokens) {
        int budget = budget(thinking);
        return maxOutputTokens > budget ? maxOutputTokens : Math.addExact(budget, maxOutputTokens);
    }

    @Override
    public Usage usage(ChatResponseMetadata metadata) {
        return metadata instanceof AnthropicChatResponseMetadata detailed
                ? AnthropicUsage.of(detailed).tokens()
                : Usage.UNKNOWN;
    }

    @Override
    public Served served(ChatResponseMetadata metadata) {
        // LangChain4j reads the usage without the tier.
        String tier = metadata instanceof AnthropicChatResponseMetadata detailed
                ? AnthropicUsage.of(detailed).tier()
                : null;
        return new Served(metadata.modelName(), null, tier);
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
