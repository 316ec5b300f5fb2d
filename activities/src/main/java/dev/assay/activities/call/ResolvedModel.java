package dev.assay.activities.call;

import dev.assay.activities.metrics.MeteredClient;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.usage.Price;
import org.jspecify.annotations.Nullable;

/**
 * How a model is asked.
 *
 * @param provider whose permits its calls need
 * @param model the provider's name of the model, for the ledger
 * @param client who asks
 * @param price of the model; null where none is known, or where nothing is paid
 * @param maxOutputTokens bound of a reply
 * @param billedOutputTokens the most output tokens that a reply can be billed for, thinking included
 */
public record ResolvedModel(
        String provider,
        String model,
        ModelClient client,
        @Nullable Price price,
        int maxOutputTokens,
        int billedOutputTokens) {

    /** The same, with each request counted. */
    ResolvedModel metered(WorkerMetrics metrics) {
        return new ResolvedModel(
                provider,
                model,
                new MeteredClient(client, provider, metrics),
                price,
                maxOutputTokens,
                billedOutputTokens);
    }
}
