package dev.assay.store.journal;

import static dev.assay.store.sql.Sql.row;

import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The writer that closes cells and counts their attempts. */
final class CellWriter {

    // A cell that is done stays done, whichever run writes it. One that is not done may have been claimed in a later
    // epoch meanwhile.
    private static final String CLOSE = """
        UPDATE cell SET closed_epoch = ?, is_final = ?, attempts = ?, claim_worker = NULL, next_try_at = NULL,
            begun = false, lost_worker = NULL
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ?
          AND NOT is_final AND (? OR claim_epoch IS NULL OR claim_epoch <= ?)\
        """;

    private static final String CLOSE_HELD = """
        UPDATE cell SET closed_epoch = ?, is_final = ?, attempts = ?, claim_worker = NULL, next_try_at = NULL,
            begun = false, lost_worker = NULL
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND NOT is_final AND claim_worker = ?\
        """;

    private static final String POSTPONE = """
        UPDATE cell SET attempts = ?, claim_worker = NULL, begun = false, error_code = ?, error_message = ?,
            next_try_at = CASE WHEN kind = 'branch' AND EXISTS (SELECT 1 FROM cancelled_branch b
                    WHERE b.campaign_id = cell.campaign_id AND b.branch_index = cell.member)
                THEN NULL ELSE now() + ? * interval '1 millisecond' END
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ?
          AND claim_worker = ? AND claim_epoch = ? AND closed_epoch IS NULL
          AND (SELECT state FROM campaign WHERE campaign_id = ?) <> 'CANCELLED'\
        """;

    private static final String IS_CANCELLED = """
        SELECT 1 FROM cell JOIN campaign USING (campaign_id)
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?
          AND campaign.state = 'CANCELLED'\
        """;

    private static final String BEGIN = """
        UPDATE cell SET begun = true
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """;

    private CellWriter() {}

    static void begin(Sql sql, List<Begin> entries) {
        sql.batch(BEGIN, entries, entry -> held(entry.claim()));
    }

    /** The parameters that name a cell: campaign, ordinal, kind, member. */
    static @Nullable Object[] columns(CellKey cell) {
        return row(cell.campaignId(), cell.ordinal(), cell.kind().word(), cell.slot());
    }

    /** The parameters that name a cell which a worker holds: {@link #columns}, worker, epoch. */
    private static @Nullable Object[] held(CellClaim claim) {
        return row(columns(claim.cell()), claim.workerId(), claim.epoch());
    }

    /** A cell that got an outcome, from the worker that ran it. */
    record Closed(CellKey cell, int epoch, String workerId, boolean isFinal, int attempts) {

        private @Nullable Object[] columns() {
            return row(epoch, isFinal, attempts, CellWriter.columns(cell));
        }
    }

    static void close(Sql sql, List<Closed> cells) {
        sql.batch(CLOSE, cells, cell -> row(cell.columns(), cell.isFinal(), cell.epoch()));
    }

    /** As {@link #close}, but only cells that their worker still holds; answers with those. */
    static <T> List<T> closeHeld(Sql sql, List<T> entries, Function<T, Closed> cell) {
        return sql.changed(CLOSE_HELD, entries, entry -> {
            Closed closed = cell.apply(entry);
            return row(closed.columns(), closed.workerId());
        });
    }

    /**
     * Frees cells. The answer for each is GRANTED, or STALE when the worker no longer holds it. It is CANCELLED when its campaign
     * is; the worker then still holds it.
     */
    static List<WriteResult> postpone(Sql sql, List<Postpone> entries) {
        int[] counts = sql.batch(
                POSTPONE,
                entries,
                entry -> row(
                        entry.attempts(),
                        Columns.failure(entry.failure()),
                        entry.delay().toMillis(),
                        held(entry.claim()),
                        entry.claim().cell().campaignId()));
        return IntStream.range(0, counts.length)
                .mapToObj(i -> counts[i] > 0 ? WriteResult.GRANTED : refusal(sql, entries.get(i)))
                .toList();
    }

    private static WriteResult refusal(Sql sql, Postpone entry) {
        return sql.exists(IS_CANCELLED, held(entry.claim())) ? WriteResult.CANCELLED : WriteResult.STALE;
    }
}
