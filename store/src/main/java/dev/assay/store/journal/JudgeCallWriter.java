package dev.assay.store.journal;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/** Writes judge calls, closes their cells and counts them. */
final class JudgeCallWriter {

    private static final String INSERT_PROMPT = """
        INSERT INTO judge_prompt (prompt_hash, system_prompt, prompt) VALUES (?, ?, ?)
        ON CONFLICT (prompt_hash) DO NOTHING\
        """;

    // As with outcomes: a final call is never replaced.
    private static final String INSERT_CALL = """
        INSERT INTO judge_call AS j (campaign_id, ordinal, member, epoch, loop_id, status, prompt_hash, shown, reply,
            compaction, warning, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens,
            total_tokens, cost_usd, latency_ms, attempts, error_code, error_message)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (campaign_id, ordinal, member) DO UPDATE SET
            epoch = excluded.epoch, loop_id = excluded.loop_id, status = excluded.status,
            prompt_hash = excluded.prompt_hash, shown = excluded.shown, reply = excluded.reply,
            compaction = excluded.compaction, warning = excluded.warning, input_tokens = excluded.input_tokens,
            output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens,
            cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
            total_tokens = excluded.total_tokens, cost_usd = excluded.cost_usd, latency_ms = excluded.latency_ms,
            attempts = excluded.attempts, error_code = excluded.error_code, error_message = excluded.error_message,
            finished_at = now()
        WHERE j.status IN ('CANCELLED', 'BUDGET_SKIPPED')\
        """;

    private JudgeCallWriter() {}

    static void write(Connection connection, List<RecordJudgeCall> entries) throws SQLException {
        List<RecordJudgeCall> standing = entries.isEmpty() ? entries : closeCells(connection, entries);
        if (standing.isEmpty()) {
            return;
        }
        writePrompts(connection, standing);
        int[] written;
        try (PreparedStatement insert = connection.prepareStatement(INSERT_CALL)) {
            for (RecordJudgeCall entry : standing) {
                bind(connection, insert, entry);
            }
            written = insert.executeBatch();
        }
        ProgressDelta progress = new ProgressDelta();
        for (int i = 0; i < written.length; i++) {
            RecordJudgeCall entry = standing.get(i);
            if (written[i] > 0 && entry.call().status().isFinal()) {
                progress.judgeDone(
                        entry.campaignId(),
                        entry.workerId(),
                        entry.call().usage(),
                        entry.call().costUsd());
            }
        }
        progress.write(connection);
    }

    /**
     * Closes the cells of the calls; answers with the calls that stand. A call whose cell was taken from its worker read outcomes
     * that a re-run has replaced, or is made by another worker now: what it says counts for nothing. The ledger keeps its cost.
     */
    private static List<RecordJudgeCall> closeCells(Connection connection, List<RecordJudgeCall> entries)
            throws SQLException {
        List<CellWriter.Closed> cells = entries.stream()
                .map(entry -> new CellWriter.Closed(
                        new CellKey(
                                entry.campaignId(),
                                entry.call().ordinal(),
                                CellKind.JUDGE,
                                entry.call().slot()),
                        entry.epoch(),
                        entry.call().status().isFinal(),
                        entry.call().attempts()))
                .toList();
        boolean[] closed = CellWriter.closeHeld(
                connection,
                cells,
                entries.stream().map(RecordJudgeCall::workerId).toList());
        return IntStream.range(0, closed.length)
                .filter(i -> closed[i])
                .mapToObj(entries::get)
                .toList();
    }

    private static void writePrompts(Connection connection, List<RecordJudgeCall> entries) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_PROMPT)) {
            // In the order of their hashes, so that no two transactions wait for each other's prompts.
            List<FinishedJudgeCall> calls = entries.stream()
                    .map(RecordJudgeCall::call)
                    .sorted(java.util.Comparator.comparing(JudgeCallWriter::hash))
                    .toList();
            for (FinishedJudgeCall call : calls) {
                Bind.to(insert)
                        .values(hash(call), call.systemPrompt(), call.prompt())
                        .addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void bind(Connection connection, PreparedStatement insert, RecordJudgeCall entry)
            throws SQLException {
        FinishedJudgeCall call = entry.call();
        Bind.to(insert)
                .values(entry.campaignId(), call.ordinal(), call.slot(), entry.epoch(), call.loopId())
                .values(call.status().name(), hash(call))
                .value(connection.createArrayOf("integer", call.shown().toArray()))
                .values(call.reply(), Json.write(call.compaction()), call.warning())
                .usage(call.usage())
                .values(call.costUsd(), call.latency().toMillis(), call.attempts())
                .failure(call.failure())
                .addBatch();
    }

    private static String hash(FinishedJudgeCall call) {
        return RequestKey.sha256(call.systemPrompt() + '\u0000' + call.prompt());
    }
}
