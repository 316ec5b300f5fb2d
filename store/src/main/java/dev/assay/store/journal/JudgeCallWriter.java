package dev.assay.store.journal;

import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import dev.assay.store.cell.CellKey;
import dev.assay.store.cell.CellKind;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

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
        if (entries.isEmpty()) {
            return;
        }
        writePrompts(connection, entries);
        int[] written;
        try (PreparedStatement insert = connection.prepareStatement(INSERT_CALL)) {
            for (RecordJudgeCall entry : entries) {
                bind(connection, insert, entry);
            }
            written = insert.executeBatch();
        }
        ProgressDelta progress = new ProgressDelta();
        List<CellWriter.Closed> closed = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            RecordJudgeCall entry = entries.get(i);
            JudgeCall call = entry.call();
            CellKey cell = new CellKey(entry.campaignId(), call.ordinal(), CellKind.JUDGE, call.member());
            closed.add(new CellWriter.Closed(cell, entry.epoch(), call.status().isFinal(), call.attempts()));
            if (written[i] > 0 && call.status().isFinal()) {
                progress.judgeDone(entry.campaignId(), entry.workerId(), call.usage(), call.costUsd());
            }
        }
        CellWriter.close(connection, closed);
        progress.write(connection);
    }

    private static void writePrompts(Connection connection, List<RecordJudgeCall> entries) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT_PROMPT)) {
            // In the order of their hashes, so that no two transactions wait for each other's prompts.
            List<JudgeCall> calls = entries.stream()
                    .map(RecordJudgeCall::call)
                    .sorted(java.util.Comparator.comparing(JudgeCallWriter::hash))
                    .toList();
            for (JudgeCall call : calls) {
                Bind.to(insert)
                        .values(hash(call), call.systemPrompt(), call.prompt())
                        .addBatch();
            }
            insert.executeBatch();
        }
    }

    private static void bind(Connection connection, PreparedStatement insert, RecordJudgeCall entry)
            throws SQLException {
        JudgeCall call = entry.call();
        Bind.to(insert)
                .values(entry.campaignId(), call.ordinal(), call.member(), entry.epoch(), call.loopId())
                .values(call.status().name(), hash(call))
                .value(connection.createArrayOf("integer", call.shown().toArray()))
                .values(call.reply(), Json.write(call.compaction()), call.warning())
                .usage(call.usage())
                .values(call.costUsd(), call.latency().toMillis(), call.attempts())
                .failure(call.failure())
                .addBatch();
    }

    private static String hash(JudgeCall call) {
        return RequestKey.sha256(call.systemPrompt() + '\u0000' + call.prompt());
    }
}
