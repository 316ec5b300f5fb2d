package dev.assay.web.label;

import dev.assay.store.label.StoredSample;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A random sample of answers that people are asked to label.
 *
 * @param sample its id
 * @param count the answers that it has
 * @param population the answers of which it was taken
 * @param branches ids of their branches
 * @param check what people are asked about; null: the trial as a whole
 */
record SampleView(
        String sample,
        String campaign,
        int count,
        long population,
        long seed,
        List<String> branches,
        @Nullable String check,
        Instant createdAt) {

    SampleView {
        branches = List.copyOf(branches);
    }

    static SampleView of(StoredSample sample) {
        return new SampleView(
                sample.id(),
                sample.campaignId(),
                sample.count(),
                sample.population(),
                sample.seed(),
                sample.branches(),
                sample.check(),
                sample.createdAt());
    }
}
