package dev.assay.store.journal;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.grading.GradeSlot;
import dev.assay.domain.json.Json;
import dev.assay.domain.replay.RequestKey;
import dev.assay.store.journal.JournalEntry.RecordJudgeCall;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer of judge calls, which closes their cells and counts them. */
final class JudgeCallWriter {

    private static final String INSERT_PROMPT = """
        INSERT INTO judge_prompt (prompt_hash, system_prompt, prompt) VALUES (?, ?, ?)
        ON CONFLICT (prompt_hash) DO NOTHING\
        """;

    // As with outcomes: a final call is never replaced.
    private static final String INSERT_CALL = """
        INSERT INTO judge_call AS j (campaign_id, ordinal, member, epoch, loop_id, status, prompt_hash, shown, reply,
            compaction, warning, input_tokens, output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens,
            total_tokens, cost_usd, latency_ms, attempts, error_code, error_message, model, graded_branch,
            requested, effective, served)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?::integer[], ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb)
        ON CONFLICT (campaign_id, ordinal, member) DO UPDATE SET
            epoch = excluded.epoch, loop_id = excluded.loop_id, status = excluded.status,
            prompt_hash = excluded.prompt_hash, shown = excluded.shown, reply = excluded.reply,
            compaction = excluded.compaction, warning = excluded.warning, input_tokens = excluded.input_tokens,
            output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens,
            cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
            total_tokens = excluded.total_tokens, cost_usd = excluded.cost_usd, latency_ms = excluded.latency_ms,
            attempts = excluded.attempts, error_code = excluded.error_code, error_message = excluded.error_message,
            model = excluded.model, requested = excluded.requested, effective = excluded.effective,
            served = excluded.served, finished_at = now()
        WHERE j.status IN ('CANCELLED', 'BUDGET_SKIPPED')\
        """;

    private JudgeCallWriter() {}

    /**
     * Writes the calls that stand. A call whose cell was taken from its worker read outcomes that a re-run has replaced, or another
     * worker makes it now. Such a call counts for nothing. The ledger keeps its cost.
     *
     * @return the calls that were written
     */
    static List<RecordJudgeCall> write(Sql sql, List<RecordJudgeCall> entries) {
        List<RecordJudgeCall> standing = CellWriter.closeHeld(sql, entries, JudgeCallWriter::closed);
        // In the order of their hashes, so that no two transactions wait for each other's prompts.
        List<FinishedJudgeCall> calls = standing.stream()
                .map(RecordJudgeCall::call)
                .sorted(Comparator.comparing(JudgeCallWriter::hash))
                .toList();
        sql.batch(
                INSERT_PROMPT,
                calls,
                call -> Sql.row(
                        hash(call), call.asked().systemPrompt(), call.asked().prompt()));
        ProgressDelta progress = new ProgressDelta();
        List<RecordJudgeCall> written = sql.changed(INSERT_CALL, standing, JudgeCallWriter::columns);
        written.stream()
                .filter(entry -> entry.call().status().isFinal())
                .forEach(entry -> progress.judgeDone(
                        entry.campaignId(),
                        entry.workerId(),
                        entry.call().usage(),
                        entry.call().costUsd()));
        progress.write(sql);
        return written;
    }

    private static CellWriter.Closed closed(RecordJudgeCall entry) {
        FinishedJudgeCall call = entry.call();
        return new CellWriter.Closed(
                entry.cell(), entry.epoch(), entry.workerId(), call.status().isFinal(), call.attempts());
    }

    private static @Nullable Object[] columns(RecordJudgeCall entry) {
        FinishedJudgeCall call = entry.call();
        return Sql.row(
                entry.campaignId(),
                call.ordinal(),
                call.slot(),
                entry.epoch(),
                call.loopId(),
                call.status().name(),
                hash(call),
                call.answer().shown(),
                call.answer().reply(),
                Json.write(call.asked().compaction()),
                call.asked().warning(),
                Columns.usage(call.usage()),
                call.costUsd(),
                call.measured().latency().toMillis(),
                call.attempts(),
                Columns.failure(call.answer().failure()),
                call.model(),
                call.kind() == CellKind.GRADE ? GradeSlot.of(call.slot()).branch() : null,
                Columns.provenance(call.provenance()));
    }

    private static String hash(FinishedJudgeCall call) {
        return RequestKey.sha256(
                call.asked().systemPrompt() + '\u0000' + call.asked().prompt());
    }
}
