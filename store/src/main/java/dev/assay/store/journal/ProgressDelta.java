package dev.assay.store.journal;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counters that one transaction raises, added up so that each row of {@code progress} is written once. */
public final class ProgressDelta {

    private static final String ADD = """
        INSERT INTO progress AS p (campaign_id, kind, member, shard, cells_done, cells_passed, cells_failed,
            cells_unscored, cells_unanswered,
            input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens,
            unknown_usage, cost_usd, trials_done, trials_failed, wins, cells_not_needed, trials_not_needed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (campaign_id, kind, member, shard) DO UPDATE SET
            cells_done = p.cells_done + excluded.cells_done,
            cells_passed = p.cells_passed + excluded.cells_passed,
            cells_failed = p.cells_failed + excluded.cells_failed,
            cells_unscored = p.cells_unscored + excluded.cells_unscored,
            cells_unanswered = p.cells_unanswered + excluded.cells_unanswered,
            input_tokens = coalesce(p.input_tokens + excluded.input_tokens, p.input_tokens, excluded.input_tokens),
            output_tokens = coalesce(p.output_tokens + excluded.output_tokens, p.output_tokens, excluded.output_tokens),
            reasoning_tokens = coalesce(p.reasoning_tokens + excluded.reasoning_tokens, p.reasoning_tokens,
                excluded.reasoning_tokens),
            cache_read_tokens = coalesce(p.cache_read_tokens + excluded.cache_read_tokens, p.cache_read_tokens,
                excluded.cache_read_tokens),
            cache_write_tokens = coalesce(p.cache_write_tokens + excluded.cache_write_tokens, p.cache_write_tokens,
                excluded.cache_write_tokens),
            total_tokens = coalesce(p.total_tokens + excluded.total_tokens, p.total_tokens, excluded.total_tokens),
            unknown_usage = p.unknown_usage + excluded.unknown_usage,
            cost_usd = coalesce(p.cost_usd + excluded.cost_usd, p.cost_usd, excluded.cost_usd),
            trials_done = p.trials_done + excluded.trials_done,
            trials_failed = p.trials_failed + excluded.trials_failed,
            wins = p.wins + excluded.wins,
            cells_not_needed = p.cells_not_needed + excluded.cells_not_needed,
            trials_not_needed = p.trials_not_needed + excluded.trials_not_needed,
            counted_at = now()\
        """;

    private static final class Counters {
        private long done;
        private long passed;
        private long failed;
        private long unscored;
        private long unanswered;
        private UsageTotal tokens = UsageTotal.NONE;
        private @Nullable BigDecimal costUsd;
        private long trialsDone;
        private long trialsFailed;
        private long wins;
        private long cellsNotNeeded;
        private long trialsNotNeeded;
    }

    // One order for all transactions, so that no two of them wait for each other's rows.
    private static final Comparator<Row> ORDER = Comparator.comparing(Row::campaignId)
            .thenComparing(Row::kind)
            .thenComparingInt(Row::slot)
            .thenComparing(Row::shard);

    private record Row(String campaignId, String kind, int slot, String shard) {}

    private final Map<Row, Counters> rows = new TreeMap<>(ORDER);

    /** Counts a cell of a branch that is done. */
    public void cellDone(
            String campaignId,
            int branchIndex,
            String shard,
            TrialVerdict verdict,
            Usage usage,
            @Nullable BigDecimal costUsd) {
        Counters counters = row(campaignId, "branch", branchIndex, shard);
        counters.done++;
        switch (verdict) {
            case PASSED -> counters.passed++;
            case FAILED -> {}
            case ERROR -> counters.failed++;
            case PROVIDER_ERROR -> {
                counters.failed++;
                counters.unanswered++;
            }
            case NO_EVIDENCE -> counters.unscored++;
        }
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
     * @param usage of its custom strategy, beside the calls that are counted
     */
    public void trialDone(String campaignId, String shard, boolean failed, Usage usage) {
        Counters counters = row(campaignId, "trial", 0, shard);
        counters.trialsDone++;
        counters.trialsFailed += failed ? 1 : 0;
        spend(counters, usage, null);
    }

    /**
     * Counts cells that were not needed in an epoch.
     *
     * @param cells how many; 0 counts nothing
     */
    public void notNeeded(RunKey run, int branchIndex, int cells) {
        if (cells > 0) {
            row(run.campaignId(), "branch", branchIndex, notNeeded(run.epoch())).cellsNotNeeded += cells;
        }
    }

    /** Counts a trial all of whose missing cells were not needed. */
    public void trialNotNeeded(RunKey run) {
        row(run.campaignId(), "trial", 0, notNeeded(run.epoch())).trialsNotNeeded++;
    }

    /** The shard of cells that were not needed in an epoch, which ends with it. */
    public static String notNeeded(int epoch) {
        return "not-needed-" + epoch;
    }

    /** Counts a trial that a branch won. */
    public void win(String campaignId, int branchIndex, String shard) {
        row(campaignId, "branch", branchIndex, shard).wins++;
    }

    private static void spend(Counters counters, Usage usage, @Nullable BigDecimal costUsd) {
        counters.tokens = counters.tokens.plus(UsageTotal.of(usage));
        if (costUsd != null) {
            counters.costUsd = counters.costUsd == null ? costUsd : counters.costUsd.add(costUsd);
        }
    }

    private Counters row(String campaignId, String kind, int slot, String shard) {
        return rows.computeIfAbsent(new Row(campaignId, kind, slot, shard), key -> new Counters());
    }

    /** Adds the counters to the rows. */
    public void write(Sql sql) {
        sql.batch(ADD, List.copyOf(rows.entrySet()), entry -> {
            Row row = entry.getKey();
            Counters counters = entry.getValue();
            return Sql.row(
                    row.campaignId(),
                    row.kind(),
                    row.slot(),
                    row.shard(),
                    counters.done,
                    counters.passed,
                    counters.failed,
                    counters.unscored,
                    counters.unanswered,
                    Columns.usage(counters.tokens.equals(UsageTotal.NONE) ? Usage.UNKNOWN : counters.tokens.usage()),
                    counters.tokens.unknownUsage(),
                    counters.costUsd,
                    counters.trialsDone,
                    counters.trialsFailed,
                    counters.wins,
                    counters.cellsNotNeeded,
                    counters.trialsNotNeeded);
        });
    }
}
