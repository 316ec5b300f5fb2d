package dev.assay.store.journal;

import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.Begin;
import dev.assay.store.journal.JournalEntry.Postpone;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Closes cells and counts their attempts. */
final class CellWriter {

    // A cell that is done stays done whoever says so; one that is not done may have been claimed in a later epoch
    // meanwhile.
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
        UPDATE cell SET attempts = ?, next_try_at = now() + ? * interval '1 millisecond', claim_worker = NULL,
            begun = false, error_code = ?, error_message = ?
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

    static void begin(Connection connection, List<Begin> entries) throws SQLException {
        if (entries.isEmpty()) {
            return;
        }
        try (PreparedStatement begin = connection.prepareStatement(BEGIN)) {
            for (Begin entry : entries) {
                CellKey cell = entry.cell();
                Bind.to(begin)
                        .values(cell.campaignId(), cell.ordinal(), cell.kind().word(), cell.slot())
                        .values(entry.workerId(), entry.epoch())
                        .addBatch();
            }
            begin.executeBatch();
        }
    }

    /** A cell that got an outcome. */
    record Closed(CellKey cell, int epoch, boolean isFinal, int attempts) {}

    static void close(Connection connection, List<Closed> cells) throws SQLException {
        if (cells.isEmpty()) {
            return;
        }
        try (PreparedStatement close = connection.prepareStatement(CLOSE)) {
            for (Closed closed : cells) {
                bind(close, closed).values(closed.isFinal(), closed.epoch()).addBatch();
            }
            close.executeBatch();
        }
    }

    /** As {@link #close}, but only a cell that the worker still holds; answers for each cell whether it closed it. */
    static boolean[] closeHeld(Connection connection, List<Closed> cells, List<String> workerIds) throws SQLException {
        try (PreparedStatement close = connection.prepareStatement(CLOSE_HELD)) {
            for (int i = 0; i < cells.size(); i++) {
                bind(close, cells.get(i)).value(workerIds.get(i)).addBatch();
            }
            int[] counts = close.executeBatch();
            boolean[] closed = new boolean[counts.length];
            for (int i = 0; i < counts.length; i++) {
                closed[i] = counts[i] > 0;
            }
            return closed;
        }
    }

    private static Bind bind(PreparedStatement close, Closed closed) throws SQLException {
        CellKey cell = closed.cell();
        return Bind.to(close)
                .values(closed.epoch(), closed.isFinal(), closed.attempts())
                .values(cell.campaignId(), cell.ordinal(), cell.kind().word(), cell.slot());
    }

    /**
     * Frees cells; answers for each GRANTED, or STALE when the worker no longer holds it, or CANCELLED when its campaign is: then
     * the worker still holds it.
     */
    static List<WriteResult> postpone(Connection connection, List<Postpone> entries) throws SQLException {
        List<WriteResult> answers = new ArrayList<>();
        if (entries.isEmpty()) {
            return answers;
        }
        try (PreparedStatement postpone = connection.prepareStatement(POSTPONE)) {
            for (Postpone entry : entries) {
                CellKey cell = entry.cell();
                Bind.to(postpone)
                        .values(entry.attempts(), entry.delay().toMillis())
                        .failure(entry.failure())
                        .values(cell.campaignId(), cell.ordinal(), cell.kind().word(), cell.slot())
                        .values(entry.workerId(), entry.epoch(), cell.campaignId())
                        .addBatch();
            }
            int[] counts = postpone.executeBatch();
            for (int i = 0; i < counts.length; i++) {
                answers.add(counts[i] > 0 ? WriteResult.GRANTED : refusal(connection, entries.get(i)));
            }
        }
        return answers;
    }

    private static WriteResult refusal(Connection connection, Postpone entry) throws SQLException {
        CellKey cell = entry.cell();
        try (PreparedStatement select = connection.prepareStatement(IS_CANCELLED)) {
            Bind.to(select)
                    .values(cell.campaignId(), cell.ordinal(), cell.kind().word(), cell.slot())
                    .values(entry.workerId(), entry.epoch());
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? WriteResult.CANCELLED : WriteResult.STALE;
            }
        }
    }
}
