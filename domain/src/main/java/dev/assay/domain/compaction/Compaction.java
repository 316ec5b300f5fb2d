package dev.assay.domain.compaction;

import org.jspecify.annotations.Nullable;

/**
 * The record of the cuts that let a judge read everything. Stored with the selection and shown; the names are those of its JSON.
 *
 * @param budget tokens that context and responses may have together; null: no limit is known, so nothing was cut
 * @param iteration 0: everything is verbatim, 1: only the context was cut, 2: context and responses were cut
 * @param contextTier the last tier that the context went through, 0–3; 0: verbatim
 * @param responseTier the last tier that all responses went through, 0–3; 0: verbatim
 * @param tokensBefore estimated tokens of context and responses before
 * @param tokensAfter estimated tokens of context and responses as the judge reads them
 * @param satisfied whether {@code tokensAfter} is within the budget; true without one
 */
public record Compaction(
        @Nullable Long budget,
        int iteration,
        int contextTier,
        int responseTier,
        long tokensBefore,
        long tokensAfter,
        boolean satisfied) {}
