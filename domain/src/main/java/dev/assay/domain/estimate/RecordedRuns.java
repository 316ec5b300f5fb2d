package dev.assay.domain.estimate;

import dev.assay.domain.agent.ModelChoice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of earlier campaigns.
 *
 * @param branches by the ids of the branches of the campaign that is planned, those of which something is known
 * @param batches how long the last batches of a model took, in any order; none: not known
 * @param judges null: nothing is known
 * @param rate null: nothing is known
 * @param why why the campaign that was named says nothing of the rate; null: it does, or none was named
 * @param baseline the campaign that the gate names; null: it names none, or nothing is known of it
 */
public record RecordedRuns(
        Map<String, RecordedUse> branches,
        Map<AskedModel, List<Duration>> batches,
        @Nullable RecordedUse judges,
        @Nullable RecordedRate rate,
        @Nullable NoRate why,
        @Nullable RecordedBaseline baseline) {

    /** Without earlier runs, or where they were not looked up. */
    public static final RecordedRuns NONE = new RecordedRuns(Map.of(), Map.of(), null, null, null, null);

    /** A model of a provider. */
    public record AskedModel(String provider, String model) {

        /** The one that a choice names. */
        public static AskedModel of(ModelChoice choice) {
            return new AskedModel(choice.provider(), choice.model());
        }
    }

    public RecordedRuns {
        branches = Map.copyOf(branches);
        batches = Map.copyOf(batches);
    }
}
