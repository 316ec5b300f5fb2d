package dev.assay.activities.provider.delivery;

import dev.assay.activities.provider.wire.ApiKey;
import dev.assay.activities.provider.wire.ProviderFailures;
import dev.assay.domain.provider.ProviderSettings;
import org.jspecify.annotations.Nullable;

/** The batch APIs by the types of providers. */
public final class BatchWires {

    private BatchWires() {}

    /**
     * The batch API of a provider that takes batches.
     *
     * @param key null: it needs none
     */
    public static BatchWire of(ProviderSettings settings, @Nullable ApiKey key, BatchHttp http) {
        BatchCalls calls = new BatchCalls(settings, key, http, new ProviderFailures(settings, key));
        return switch (settings.type()) {
            case OPENAI -> new OpenAiBatches(calls, new OpenAiFiles(calls));
            case ANTHROPIC -> new AnthropicBatches(calls);
            case GOOGLE -> new GoogleBatches(calls);
            case OPENAI_RESPONSES, MISTRAL, OLLAMA ->
                throw new IllegalArgumentException(
                        "There is no batch API of type " + settings.type().word());
        };
    }
}
