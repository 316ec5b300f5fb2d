package dev.assay.store.journal;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.usage.Usage;
import dev.assay.domain.usage.UsageTotal;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counters that one transaction raises, added up so that each row of {@code progress} is written once. */
public final class ProgressDelta {

    private static final RowColumns<Map.Entry<Row, Counters>> COLUMNS = RowColumns.<Map.Entry<Row, Counters>>of()
            .key("campaign_id", entry -> entry.getKey().campaignId())
            .key("kind", entry -> entry.getKey().kind())
            .key("member", entry -> entry.getKey().slot())
            .key("shard", entry -> entry.getKey().shard())
            .column("cells_done", entry -> entry.getValue().done)
            .column("cells_passed", entry -> entry.getValue().passed)
            .column("cells_failed", entry -> entry.getValue().failed)
            .column("cells_unscored", entry -> entry.getValue().unscored)
            .column("cells_unanswered", entry -> entry.getValue().unanswered)
            .usage(entry -> entry.getValue().usage())
            .column("unknown_usage", entry -> entry.getValue().tokens.unknownUsage())
            .column("cost_usd", entry -> entry.getValue().costUsd)
            .column("trials_done", entry -> entry.getValue().trialsDone)
            .column("trials_failed", entry -> entry.getValue().trialsFailed)
            .column("wins", entry -> entry.getValue().wins)
            .column("cells_not_needed", entry -> entry.getValue().cellsNotNeeded)
            .column("trials_not_needed", entry -> entry.getValue().trialsNotNeeded);

    // Costs and tokens are null until one is known.
    private static final String ADD =
            COLUMNS.insert("progress AS p") + " ON CONFLICT (campaign_id, kind, member, shard) DO UPDATE SET "
                    + COLUMNS.replaced("%1$s = coalesce(p.%1$s + excluded.%1$s, p.%1$s, excluded.%1$s)")
                    + ", counted_at = now()";

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

        private Usage usage() {
            return tokens.equals(UsageTotal.NONE) ? Usage.UNKNOWN : tokens.usage();
        }
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
        sql.batch(ADD, List.copyOf(rows.entrySet()), COLUMNS::parameters);
    }
}
