package dev.assay.store.journal;

import static dev.assay.store.sql.Sql.row;

import dev.assay.domain.delivery.ItemState;
import dev.assay.store.journal.JournalEntry.EndItem;
import dev.assay.store.journal.JournalEntry.EndItem.Settled;
import dev.assay.store.sql.Sql;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The writer of the ends of requests that were in batches of their providers. */
final class ItemWriter {

    private static final String END = """
        UPDATE provider_batch_item SET state = ?, error_code = ?
        WHERE campaign_id = ? AND request_id = ? AND batch_id = ? AND state = 'OUT'\
        """;

    private static final String SETTLE = """
        UPDATE ledger SET state = ?, settled_at = now(), cost_usd = ?, total_tokens = ?, error_code = ?, no_attempt = ?
        WHERE request_id = ? AND state = 'SENT'\
        """;

    // A worker of a build that knows no batches settles what a dead worker had sent: it counts as spent at its worst
    // case.
    private static final String UNSWEEP = """
        UPDATE ledger SET state = 'SENT', settled_at = NULL WHERE request_id = ? AND batch_id = ? AND state = 'UNKNOWN'\
        """;

    // A re-run may have opened the cell meanwhile: its row is gone then, or counts other attempts. What the provider
    // never had is no round.
    private static final String OPEN = """
        UPDATE cell SET attempts = CASE WHEN ? THEN greatest(attempts - 1, 0) ELSE attempts END, goes_live = goes_live OR ?,
            batches = CASE WHEN ? THEN greatest(batches - 1, 0) ELSE batches END,
            error_code = ?
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND closed_epoch IS NULL AND attempts = ?\
        """;

    private static final String COUNT = """
        UPDATE provider_batch SET answered = answered + ?, failed = failed + ?, expired = expired + ?, canceled = canceled + ?,
            missing = missing + ?, cost_usd = coalesce(cost_usd + ?, cost_usd, ?)
        WHERE id = ?\
        """;

    private static final String KEY = "KEY";

    private ItemWriter() {}

    /** Writes ends; answers with those that are the first of their requests. */
    static List<EndItem> end(Sql sql, List<EndItem> entries) {
        List<EndItem> ended = sql.changed(
                END,
                entries,
                entry -> row(
                        entry.end().state().name(),
                        code(entry.end()),
                        entry.campaignId(),
                        entry.item().requestId(),
                        entry.item().batchId()));
        settle(sql, ended);
        sql.batch(
                OPEN,
                ended.stream().filter(entry -> entry.after().closes() == null).toList(),
                entry -> row(
                        entry.end().noAttempt() != null,
                        entry.after().goesLive(),
                        isNoRound(entry.end()),
                        code(entry.end()),
                        CellWriter.columns(entry.item().cell()),
                        entry.item().attempt()));
        Map<String, Counts> counts = new TreeMap<>();
        ended.forEach(entry -> counts.computeIfAbsent(entry.item().batchId(), _ -> new Counts())
                .add(entry.end()));
        sql.batch(
                COUNT, List.copyOf(counts.entrySet()), entry -> entry.getValue().columns(entry.getKey()));
        return ended;
    }

    private static void settle(Sql sql, List<EndItem> ended) {
        Map<String, BigDecimal[]> budgets = new TreeMap<>();
        List<EndItem> settled = sql.changed(SETTLE, ended, ItemWriter::settlement);
        for (EndItem entry : settled) {
            BigDecimal reserved = entry.item().reservedUsd();
            if (reserved != null) {
                LedgerWriter.add(budgets, entry.campaignId(), entry.end().costUsd(), reserved);
            }
        }
        if (settled.size() < ended.size()) {
            for (EndItem entry : settleSwept(sql, without(ended, settled))) {
                BigDecimal reserved = entry.item().reservedUsd();
                BigDecimal cost = entry.end().costUsd();
                if (reserved != null) {
                    BigDecimal more = cost == null ? reserved.negate() : cost.subtract(reserved);
                    LedgerWriter.add(budgets, entry.campaignId(), more, BigDecimal.ZERO);
                }
            }
        }
        LedgerWriter.changeBudgets(sql, budgets);
    }

    /** Settles requests whose reservations count as spent; answers with those that there are. */
    private static List<EndItem> settleSwept(Sql sql, List<EndItem> entries) {
        List<EndItem> swept = sql.changed(
                UNSWEEP,
                entries,
                entry -> row(entry.item().requestId(), entry.item().batchId()));
        return sql.changed(SETTLE, swept, ItemWriter::settlement);
    }

    private static List<EndItem> without(List<EndItem> all, List<EndItem> some) {
        Set<EndItem> left = Collections.newSetFromMap(new IdentityHashMap<>());
        left.addAll(all);
        some.forEach(left::remove);
        return List.copyOf(left);
    }

    private static @Nullable Object[] settlement(EndItem entry) {
        Settled end = entry.end();
        return row(
                end.row(),
                end.costUsd(),
                end.totalTokens(),
                code(end),
                end.noAttempt(),
                entry.item().requestId());
    }

    /** Whether it does not count among the batches of its cell: it was never at the provider, or its key was refused. */
    private static boolean isNoRound(Settled end) {
        return end.state() == ItemState.NOT_SENT || KEY.equals(end.noAttempt());
    }

    private static @Nullable String code(Settled end) {
        return end.code() == null ? null : end.code().name();
    }

    /** Ends of one batch, by state. */
    private static final class Counts {

        private final Map<ItemState, Integer> byState = new EnumMap<>(ItemState.class);
        private @Nullable BigDecimal cost;

        void add(Settled end) {
            byState.merge(end.state(), 1, Integer::sum);
            if (end.costUsd() != null) {
                cost = cost == null ? end.costUsd() : cost.add(end.costUsd());
            }
        }

        private int of(ItemState state) {
            return byState.getOrDefault(state, 0);
        }

        @Nullable
        Object[] columns(String batchId) {
            return row(
                    of(ItemState.ANSWERED),
                    of(ItemState.FAILED),
                    of(ItemState.EXPIRED),
                    of(ItemState.CANCELED),
                    of(ItemState.MISSING),
                    cost,
                    cost,
                    batchId);
        }
    }
}
