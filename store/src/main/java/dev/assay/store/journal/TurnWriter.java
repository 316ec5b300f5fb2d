package dev.assay.store.journal;

import static dev.assay.store.sql.Sql.row;

import dev.assay.domain.json.Json;
import dev.assay.domain.message.Role;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.journal.JournalEntry.RecordTool;
import dev.assay.store.journal.JournalEntry.RecordTurn;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer of the turns of loops in progress, which removes them when their cell has its final outcome. */
final class TurnWriter {

    // Only the worker that holds the cell resumes its loop. A group that is written again after a lost reply finds its
    // own rows.
    private static final String HELD = """
        WHERE EXISTS (SELECT 1 FROM cell c WHERE c.campaign_id = ? AND c.ordinal = ? AND c.kind = 'branch'
            AND c.member = ? AND c.claim_worker = ? AND c.claim_epoch = ?)
        """;

    private static final RowColumns<RecordTurn> TURN = RowColumns.<RecordTurn>of()
            .key("campaign_id", entry -> entry.claim().cell().campaignId())
            .key("ordinal", entry -> entry.claim().cell().ordinal())
            .key("branch_index", entry -> entry.claim().cell().slot())
            .key("turn", entry -> entry.turn().turn())
            .column("worker_id", entry -> entry.claim().workerId())
            .json("message", entry -> entry.turn().message())
            .usage(entry -> entry.turn().measured().usage())
            .column("cost_usd", "numeric", entry -> entry.turn().measured().costUsd())
            .column("latency_ms", entry -> entry.turn().measured().latency().toMillis())
            .column("elapsed_ms", entry -> entry.turn().elapsed().toMillis())
            .json("provenance", entry -> entry.turn().provenance())
            .column("warnings", "text[]", entry -> entry.turn().warnings());

    private static final String INSERT_TURN =
            "INSERT INTO turn AS t (" + TURN.names() + ") SELECT " + TURN.places() + " " + HELD + """
                ON CONFLICT (campaign_id, ordinal, branch_index, turn) DO UPDATE SET worker_id = excluded.worker_id
                WHERE t.worker_id = excluded.worker_id\
                """;

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
    static List<WriteResult> writeTurns(Sql sql, List<RecordTurn> entries) {
        return held(sql.batch(
                INSERT_TURN,
                entries,
                entry -> row(
                        TURN.parameters(entry),
                        columns(entry.claim().cell()),
                        entry.claim().workerId(),
                        entry.claim().epoch())));
    }

    /** As {@link #writeTurns}, for tool calls. */
    static List<WriteResult> writeTools(Sql sql, List<RecordTool> entries) {
        return held(sql.batch(INSERT_TOOL, entries, entry -> {
            String result = entry.result() == null ? null : Json.write(entry.result());
            return row(
                    columns(entry.claim().cell()),
                    entry.turn(),
                    entry.call(),
                    result,
                    result,
                    columns(entry.claim().cell()),
                    entry.claim().workerId(),
                    entry.claim().epoch());
        }));
    }

    private static @Nullable Object[] columns(CellKey cell) {
        return row(cell.campaignId(), cell.ordinal(), cell.slot());
    }

    private static List<WriteResult> held(int[] counts) {
        return Arrays.stream(counts)
                .mapToObj(count -> count > 0 ? WriteResult.GRANTED : WriteResult.STALE)
                .toList();
    }

    /**
     * Removes the turns of final outcomes, which have the whole conversation. The loop of one that is not final is resumed, so that
     * nothing is paid twice.
     */
    static void forget(Sql sql, List<RecordOutcome> entries) {
        List<RecordOutcome> done =
                entries.stream().filter(entry -> usedTools(entry.outcome())).toList();
        sql.batch(
                DELETE,
                done,
                entry -> row(
                        entry.campaignId(),
                        entry.outcome().ordinal(),
                        entry.outcome().branchIndex()));
    }

    private static boolean usedTools(Outcome outcome) {
        return outcome.status().isFinal()
                && outcome.answer().newMessages().stream().anyMatch(message -> message.role() == Role.TOOL);
    }
}
