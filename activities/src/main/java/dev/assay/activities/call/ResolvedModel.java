package dev.assay.activities.call;

import dev.assay.activities.metrics.MeteredClient;
import dev.assay.activities.metrics.WorkerMetrics;
import dev.assay.activities.model.ModelClient;
import dev.assay.activities.model.ModelRequest;
import dev.assay.domain.compaction.TokenEstimate;
import dev.assay.domain.usage.Price;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The client, price and limit with which a model is asked.
 *
 * @param provider who is asked, for the ledger
 * @param model the provider's name of the model, for the ledger
 * @param price of the model; null where none is known, or where nothing is paid
 * @param mostUsd what a request costs at most in US dollars, where there is no price; null: unknown
 */
public record ResolvedModel(
        String provider,
        String model,
        String pool,
        ModelClient client,
        @Nullable Price price,
        @Nullable BigDecimal mostUsd,
        Tokens tokens,
        LimitedModel limits) {

    /**
     * The tokens of each request.
     *
     * @param billedOutput the most that a reply can be billed for, thinking included
     * @param format estimated input for the form of the answer, beside the conversation
     */
    record Tokens(int maxOutput, int billedOutput, long format) {}

    /** Bound of a reply. */
    public int maxOutputTokens() {
        return tokens.maxOutput();
    }

    /** The estimated input of a request, in tokens. */
    public long inputTokens(ModelRequest asked) {
        return inputTokens(SentSize.of(asked));
    }

    private long inputTokens(SentSize size) {
        return TokenEstimate.ofBytes(size.allBytes()) + tokens.format();
    }

    /**
     * What a request costs at most: its estimated input and the whole output limit; embeddings have none. Where no price is known,
     * the most that the user says it costs.
     */
    @Nullable
    BigDecimal worstCase(SentSize size) {
        return price == null ? mostUsd : price.costUsd(inputTokens(size), size.compares() ? 0 : tokens.billedOutput());
    }

    /** What a request costs at most in a batch of its provider; null: no price is known. */
    public @Nullable BigDecimal worstCaseInBatch(ModelRequest asked) {
        return price == null
                ? null
                : price.ofBatch().price().costUsd(inputTokens(SentSize.of(asked)), tokens.billedOutput());
    }

    /** The same, with each request counted. */
    ResolvedModel metered(WorkerMetrics metrics) {
        return new ResolvedModel(
                provider, model, pool, new MeteredClient(client, provider, metrics), price, mostUsd, tokens, limits);
    }
}
