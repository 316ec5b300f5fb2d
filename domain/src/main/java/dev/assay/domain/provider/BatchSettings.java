package dev.assay.domain.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The bounds and habits of a provider's batches.
 *
 * @param maxLines requests of a batch, from 1 to what the API takes
 * @param maxBytes of a batch's file, from 1 to what the API takes
 * @param maxOut batches of a campaign that may be out together, 1–100
 * @param enqueuedTokens tokens of one model that may be out together, at least 1; 0: any number
 * @param poll time between two polls, 1 s to 1 h; null: 15 s, and longer each time
 * @param rounds batches that a cell is put in before it goes live or fails, 1–20
 * @param minimum cells of a model below which {@code auto} asks live, 1–1,000,000
 */
public record BatchSettings(
        int maxLines,
        long maxBytes,
        int maxOut,
        long enqueuedTokens,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Duration poll,
        int rounds,
        int minimum) {

    private static final int DEFAULT_LINES = 10_000;
    private static final int DEFAULT_OUT = 10;
    private static final int DEFAULT_ROUNDS = 3;
    private static final int DEFAULT_MINIMUM = 20;

    /** Those of providers of a type, where nothing is configured; null: its API has no batches. */
    public static @Nullable BatchSettings usual(ProviderType type) {
        ProviderType.BatchLimits limits = type.batches();
        return limits == null
                ? null
                : new BatchSettings(
                        DEFAULT_LINES, limits.bytes(), DEFAULT_OUT, 0, null, DEFAULT_ROUNDS, DEFAULT_MINIMUM);
    }
}
