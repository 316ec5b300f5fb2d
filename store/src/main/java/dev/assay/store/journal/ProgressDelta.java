package dev.assay.store.journal;

import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counters that one transaction raises, added up so that each row of {@code progress} is written once. */
public final class ProgressDelta {

    private static final String ADD = """
        INSERT INTO progress AS p (campaign_id, kind, member, shard, cells_done, cells_passed, cells_failed,
            input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
            cost_usd, trials_done, trials_failed, wins)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (campaign_id, kind, member, shard) DO UPDATE SET
            cells_done = p.cells_done + excluded.cells_done,
            cells_passed = p.cells_passed + excluded.cells_passed,
            cells_failed = p.cells_failed + excluded.cells_failed,
            input_tokens = p.input_tokens + excluded.input_tokens,
            output_tokens = p.output_tokens + excluded.output_tokens,
            reasoning_tokens = p.reasoning_tokens + excluded.reasoning_tokens,
            cache_read_tokens = p.cache_read_tokens + excluded.cache_read_tokens,
            cache_write_tokens = p.cache_write_tokens + excluded.cache_write_tokens,
            total_tokens = p.total_tokens + excluded.total_tokens,
            cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN p.cost_usd
                            ELSE coalesce(p.cost_usd, 0) + excluded.cost_usd END,
            trials_done = p.trials_done + excluded.trials_done,
            trials_failed = p.trials_failed + excluded.trials_failed,
            wins = p.wins + excluded.wins,
            counted_at = now()\
        """;

    private static final class Counters {
        private long done;
        private long passed;
        private long failed;
        private Usage usage = Usage.NONE;
        private @Nullable BigDecimal costUsd;
        private long trialsDone;
        private long trialsFailed;
        private long wins;
    }

    private record Row(String campaignId, String kind, int slot, String shard) implements Comparable<Row> {
        @Override
        public int compareTo(Row other) {
            // One order for all transactions, so that no two of them wait for each other's rows.
            int byCampaign = campaignId.compareTo(other.campaignId);
            int byKind = byCampaign != 0 ? byCampaign : kind.compareTo(other.kind);
            int bySlot = byKind != 0 ? byKind : Integer.compare(slot, other.slot);
            return bySlot != 0 ? bySlot : shard.compareTo(other.shard);
        }
    }

    private final Map<Row, Counters> rows = new TreeMap<>();

    /** Counts a cell of a branch that is done. */
    public void cellDone(
            String campaignId,
            int branchIndex,
            String shard,
            boolean passed,
            boolean failed,
            Usage usage,
            @Nullable BigDecimal costUsd) {
        Counters counters = row(campaignId, "branch", branchIndex, shard);
        counters.done++;
        counters.passed += passed ? 1 : 0;
        counters.failed += failed ? 1 : 0;
        spend(counters, usage, costUsd);
    }

    /** Counts a judge call that is done. */
    public void judgeDone(String campaignId, String shard, Usage usage, @Nullable BigDecimal costUsd) {
        Counters counters = row(campaignId, "trial", 0, shard);
        counters.done++;
        spend(counters, usage, costUsd);
    }

    /**
     * Counts a trial that is done.
     *
     * @param failed whether one of its cells ended in MODEL_ERROR or TIMED_OUT
     */
    public void trialDone(String campaignId, String shard, boolean failed) {
        Counters counters = row(campaignId, "trial", 0, shard);
        counters.trialsDone++;
        counters.trialsFailed += failed ? 1 : 0;
    }

    /** Counts a trial that a branch won. */
    public void win(String campaignId, int branchIndex, String shard) {
        row(campaignId, "branch", branchIndex, shard).wins++;
    }

    private static void spend(Counters counters, Usage usage, @Nullable BigDecimal costUsd) {
        counters.usage = counters.usage.plus(usage);
        if (costUsd != null) {
            counters.costUsd = counters.costUsd == null ? costUsd : counters.costUsd.add(costUsd);
        }
    }

    private Counters row(String campaignId, String kind, int slot, String shard) {
        return rows.computeIfAbsent(new Row(campaignId, kind, slot, shard), key -> new Counters());
    }

    /** Adds the counters to the rows. */
    public void write(Connection connection) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement add = connection.prepareStatement(ADD)) {
            for (Map.Entry<Row, Counters> entry : rows.entrySet()) {
                Row row = entry.getKey();
                Counters counters = entry.getValue();
                Bind.to(add)
                        .values(row.campaignId(), row.kind(), row.slot(), row.shard())
                        .values(counters.done, counters.passed, counters.failed)
                        .usage(counters.usage)
                        .values(counters.costUsd, counters.trialsDone, counters.trialsFailed, counters.wins)
                        .addBatch();
            }
            add.executeBatch();
        }
    }
}
