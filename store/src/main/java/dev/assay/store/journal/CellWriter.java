package dev.assay.store.journal;

import static dev.assay.store.sql.Sql.row;

import dev.assay.domain.limit.outage.NoAttempt;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.cell.CellClaim;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Excuse;
import dev.assay.store.journal.JournalEntry.Postpone;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The writer that closes cells and counts their attempts. */
final class CellWriter {

    // A cell that is done stays done, whichever run writes it. One that is not done may have been claimed in a later
    // epoch meanwhile.
    private static final String CLOSE = """
        UPDATE cell SET closed_epoch = ?, is_final = ?, attempts = greatest(attempts, ?), claim_worker = NULL, next_try_at = NULL,
            begun = false, lost_worker = NULL
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ?
          AND NOT is_final AND (? OR claim_epoch IS NULL OR claim_epoch <= ?)\
        """;

    private static final String CLOSE_HELD = """
        UPDATE cell SET closed_epoch = ?, is_final = ?, attempts = greatest(attempts, ?), claim_worker = NULL, next_try_at = NULL,
            begun = false, lost_worker = NULL
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND NOT is_final AND claim_worker = ?\
        """;

    // The call was in a batch, and no worker holds it. A re-run may have opened its cell meanwhile.
    private static final String CLOSE_OUT = """
        UPDATE cell SET closed_epoch = ?, is_final = ?, attempts = greatest(attempts, ?), claim_worker = NULL, next_try_at = NULL,
            begun = false, lost_worker = NULL
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND NOT is_final AND closed_epoch IS NULL
          AND claim_worker IS NULL\
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

    // Counts the attempt. The same again changes nothing: PostgreSQL may have gone away before it could answer.
    private static final String BEGIN = """
        UPDATE cell SET begun = true, attempts = ?
        WHERE (attempts = ? - 1 OR attempts = ? AND begun) AND ? <= ? + least(lost_attempts, %d)
          AND campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """.formatted(Begin.MOST_LOST);

    private static final String IS_HELD = """
        SELECT 1 FROM cell
        WHERE campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """;

    private static final String GIVE_BACK = """
        UPDATE cell SET begun = false, attempts = attempts - 1
        WHERE begun AND attempts = ?
          AND campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """;

    private static final String EXCUSE = """
        UPDATE cell SET begun = false, attempts = attempts - 1, outages = outages + 1
        WHERE begun AND attempts = ? AND outages < %d
          AND campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """.formatted(NoAttempt.OUTAGE.most());

    private static final String EXCUSE_REFUSED = """
        UPDATE cell SET begun = false, attempts = attempts - 1, refusals = refusals + 1
        WHERE begun AND attempts = ? AND refusals < %d
          AND campaign_id = ? AND ordinal = ? AND kind = ? AND member = ? AND claim_worker = ? AND claim_epoch = ?\
        """.formatted(NoAttempt.RATE.most());

    private CellWriter() {}

    /** Counts attempts that begin. The answer for each is GRANTED, STALE or EXHAUSTED. */
    static List<WriteResult> begin(Sql sql, List<Begin> entries) {
        int[] counts = sql.batch(BEGIN, entries, entry -> {
            int number = entry.attempt().number();
            return row(
                    number,
                    number,
                    number,
                    number,
                    entry.mostAttempts(),
                    held(entry.attempt().claim()));
        });
        return IntStream.range(0, counts.length)
                .mapToObj(i -> counts[i] > 0
                        ? WriteResult.GRANTED
                        : sql.exists(IS_HELD, held(entries.get(i).attempt().claim()))
                                ? WriteResult.EXHAUSTED
                                : WriteResult.STALE)
                .toList();
    }

    /** Counts attempts no longer whose cells their workers still hold. Those of others were given back when they were claimed. */
    static void giveBack(Sql sql, List<AttemptKey> attempts) {
        sql.batch(GIVE_BACK, attempts, attempt -> row(attempt.number(), held(attempt.claim())));
    }

    /** Counts attempts no longer that met an outage or a refusal; answers with those. */
    static List<Excuse> excuse(Sql sql, List<Excuse> entries) {
        Map<Boolean, List<Excuse>> byRefusal =
                entries.stream().collect(Collectors.partitioningBy(entry -> entry.why() == NoAttempt.RATE));
        List<Excuse> excused = new ArrayList<>(excuse(sql, EXCUSE, byRefusal.getOrDefault(false, List.of())));
        excused.addAll(excuse(sql, EXCUSE_REFUSED, byRefusal.getOrDefault(true, List.of())));
        return excused;
    }

    private static List<Excuse> excuse(Sql sql, String statement, List<Excuse> entries) {
        return sql.changed(
                statement,
                entries,
                entry -> row(entry.attempt().number(), held(entry.attempt().claim())));
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

    /** As {@link #close}, but only cells that no worker holds: their requests were in batches; answers with those. */
    static <T> List<T> closeOut(Sql sql, List<T> entries, Function<T, Closed> cell) {
        return sql.changed(CLOSE_OUT, entries, entry -> row(cell.apply(entry).columns()));
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
