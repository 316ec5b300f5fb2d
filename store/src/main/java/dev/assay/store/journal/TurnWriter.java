package dev.assay.store.journal;

import dev.assay.domain.agent.RecordedTurn;
import dev.assay.domain.json.Json;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.RecordTool;
import dev.assay.store.journal.JournalEntry.RecordTurn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes the turns of loops that are under way, and removes them when their cell has its final outcome. */
final class TurnWriter {

    // Only the worker that holds the cell goes on with its loop. A group that is written again after a lost reply finds
    // its own rows.
    private static final String HELD = """
        WHERE EXISTS (SELECT 1 FROM cell c WHERE c.campaign_id = ? AND c.ordinal = ? AND c.kind = 'branch'
            AND c.member = ? AND c.claim_worker = ? AND c.claim_epoch = ?)
        """;

    private static final String INSERT_TURN = """
        INSERT INTO turn AS t (campaign_id, ordinal, branch_index, turn, worker_id, message, input_tokens,
            output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms,
            elapsed_ms)
        SELECT ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?::numeric, ?, ?
        %s
        ON CONFLICT (campaign_id, ordinal, branch_index, turn) DO UPDATE SET worker_id = excluded.worker_id
        WHERE t.worker_id = excluded.worker_id\
        """.formatted(HELD);

    private static final String INSERT_TOOL = """
        INSERT INTO tool_result AS r (campaign_id, ordinal, branch_index, turn, call, result, finished_at)
        SELECT ?, ?, ?, ?, ?, ?::jsonb, CASE WHEN ?::jsonb IS NOT NULL THEN now() END
        %s
        ON CONFLICT (campaign_id, ordinal, branch_index, turn, call) DO UPDATE SET
            result = coalesce(r.result, excluded.result), finished_at = coalesce(r.finished_at, excluded.finished_at)\
        """.formatted(HELD);

    private static final String DELETE = "DELETE FROM turn WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?";

    private TurnWriter() {}

    /** Writes {@code entries} and says for each whether its worker still holds the cell. */
    static List<WriteResult> writeTurns(Connection connection, List<RecordTurn> entries) throws SQLException {
        if (entries.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT_TURN)) {
            for (RecordTurn entry : entries) {
                RecordedTurn turn = entry.turn();
                cell(Bind.to(insert), entry.cell())
                        .values(turn.turn(), entry.workerId(), Json.write(turn.message()))
                        .usage(turn.measured().usage())
                        .values(
                                turn.measured().costUsd(),
                                turn.measured().latency().toMillis(),
                                turn.elapsed().toMillis())
                        .values(
                                entry.cell().campaignId(),
                                entry.cell().ordinal(),
                                entry.cell().slot())
                        .values(entry.workerId(), entry.epoch())
                        .addBatch();
            }
            return held(insert.executeBatch());
        }
    }

    /** As {@link #writeTurns}, for tool calls. */
    static List<WriteResult> writeTools(Connection connection, List<RecordTool> entries) throws SQLException {
        if (entries.isEmpty()) {
            return List.of();
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT_TOOL)) {
            for (RecordTool entry : entries) {
                String result = entry.result() == null ? null : Json.write(entry.result());
                cell(Bind.to(insert), entry.cell())
                        .values(entry.turn(), entry.call(), result, result)
                        .values(
                                entry.cell().campaignId(),
                                entry.cell().ordinal(),
                                entry.cell().slot())
                        .values(entry.workerId(), entry.epoch())
                        .addBatch();
            }
            return held(insert.executeBatch());
        }
    }

    private static Bind cell(Bind bind, CellKey cell) throws SQLException {
        return bind.values(cell.campaignId(), cell.ordinal(), cell.slot());
    }

    private static List<WriteResult> held(int[] counts) {
        List<WriteResult> held = new ArrayList<>(counts.length);
        for (int count : counts) {
            held.add(count > 0 ? WriteResult.GRANTED : WriteResult.STALE);
        }
        return held;
    }

    /** The outcome has the whole conversation. One that is not final is gone on with, so that nothing is paid twice. */
    static void forget(Connection connection, List<RecordOutcome> entries) throws SQLException {
        List<RecordOutcome> done =
                entries.stream().filter(entry -> usedTools(entry.outcome())).toList();
        if (done.isEmpty()) {
            return;
        }
        try (PreparedStatement delete = connection.prepareStatement(DELETE)) {
            for (RecordOutcome entry : done) {
                Outcome outcome = entry.outcome();
                Bind.to(delete)
                        .values(entry.campaignId(), outcome.ordinal(), outcome.branchIndex())
                        .addBatch();
            }
            delete.executeBatch();
        }
    }

    private static boolean usedTools(Outcome outcome) {
        return outcome.status().isFinal()
                && outcome.answer().newMessages().stream().anyMatch(message -> message.role() == Role.TOOL);
    }
}
