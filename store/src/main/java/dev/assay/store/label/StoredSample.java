package dev.assay.store.label;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random sample of answers that people are asked to label.
 *
 * @param population the answers of which it was taken
 * @param branches ids of their branches
 * @param check what people are asked about; null: the trial as a whole
 */
public record StoredSample(
        String id,
        String campaignId,
        int count,
        long population,
        long seed,
        List<String> branches,
        @Nullable String check,
        Instant createdAt) {

    public StoredSample {
        branches = List.copyOf(branches);
    }
}
