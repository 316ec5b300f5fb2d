package dev.assay.domain.estimate;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of earlier campaigns.
 *
 * @param branches by the ids of the branches of the campaign that is planned, those of which something is known
 * @param batches how long the last batches of a branch's model took, in any order, by the ids of the branches; none: not known
 * @param judges null: nothing is known
 * @param rate null: nothing is known
 * @param why why the campaign that was named says nothing of the rate; null: it does, or none was named
 * @param baseline the campaign that the gate names; null: it names none, or nothing is known of it
 */
public record RecordedRuns(
        Map<String, RecordedUse> branches,
        Map<String, List<Duration>> batches,
        @Nullable RecordedUse judges,
        @Nullable RecordedRate rate,
        @Nullable NoRate why,
        @Nullable RecordedBaseline baseline) {

    /** Without earlier runs, or where they were not looked up. */
    public static final RecordedRuns NONE = new RecordedRuns(Map.of(), Map.of(), null, null, null, null);

    public RecordedRuns {
        branches = Map.copyOf(branches);
        batches = Map.copyOf(batches);
    }
}
