package dev.assay.store.journal;

import dev.assay.store.journal.JournalEntry.CountUnstored;
import dev.assay.store.journal.JournalEntry.PauseRefused;
import dev.assay.store.sql.Sql;
import java.util.List;

/** The writer of what PostgreSQL refused: it counts answers that are not stored, and pauses their campaigns. */
final class RefusalWriter {

    private static final String COUNT = """
        INSERT INTO unstored_answer (campaign_id, ordinal, kind, member, attempt, cost_usd) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING\
        """;

    // A campaign that a user paused gets the reason, too. Nobody could resume an evaluation, or the scoring of
    // hypotheses.
    private static final String PAUSE = """
        UPDATE campaign c SET state = 'PAUSED', failure_reason = ?
        WHERE campaign_id = ? AND (state IN ('PENDING', 'RUNNING') OR state = 'PAUSED' AND failure_reason IS NULL)
          AND NOT EXISTS (SELECT FROM evaluation e WHERE e.evaluation_id = c.campaign_id)
          AND NOT EXISTS (SELECT FROM hypothesis_evaluation h WHERE h.evaluation_id = c.campaign_id)\
        """;

    private static final String IS_PAUSED = "SELECT 1 FROM campaign WHERE campaign_id = ? AND state = 'PAUSED'";

    private RefusalWriter() {}

    static void count(Sql sql, List<CountUnstored> entries) {
        sql.batch(COUNT, entries, entry -> Sql.row(CellWriter.columns(entry.cell()), entry.attempt(), entry.costUsd()));
    }

    /** The answer for each is GRANTED when it was paused now, WAIT when it was paused before, and STALE when it is not. */
    static List<WriteResult> pause(Sql sql, List<PauseRefused> entries) {
        return entries.stream().map(entry -> pause(sql, entry)).toList();
    }

    private static WriteResult pause(Sql sql, PauseRefused entry) {
        if (sql.update(PAUSE, entry.reason(), entry.campaignId()) > 0) {
            return WriteResult.GRANTED;
        }
        return sql.exists(IS_PAUSED, entry.campaignId()) ? WriteResult.WAIT : WriteResult.STALE;
    }
}
