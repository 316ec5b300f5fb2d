package dev.assay.store.journal;

import dev.assay.domain.campaign.CellKind;
import dev.assay.domain.json.Json;
import dev.assay.domain.outcome.Outcome;
import dev.assay.store.cell.CellKey;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes outcomes, closes their cells and counts them. */
public final class OutcomeWriter {

    // A final outcome is never replaced; one that is not final gives way to the next.
    private static final String INSERT = """
        INSERT INTO outcome AS o (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, passed,
            response, messages, original_context_length, input_tokens, output_tokens, reasoning_tokens,
            cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms, attempts, error_code,
            error_message, checks, warnings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?)
        ON CONFLICT (campaign_id, ordinal, branch_index) DO UPDATE SET
            epoch = excluded.epoch, loop_id = excluded.loop_id, status = excluded.status, passed = excluded.passed,
            response = excluded.response, messages = excluded.messages,
            original_context_length = excluded.original_context_length, input_tokens = excluded.input_tokens,
            output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens,
            cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
            total_tokens = excluded.total_tokens, cost_usd = excluded.cost_usd, latency_ms = excluded.latency_ms,
            attempts = excluded.attempts, error_code = excluded.error_code, error_message = excluded.error_message,
            checks = excluded.checks, warnings = excluded.warnings, finished_at = now()
        WHERE o.status IN ('CANCELLED', 'BUDGET_SKIPPED')\
        """;

    private OutcomeWriter() {}

    /** Writes {@code entries} on the connection of the current transaction. */
    public static void write(Connection connection, List<RecordOutcome> entries) throws SQLException {
        if (entries.isEmpty()) {
            return;
        }
        int[] written;
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (RecordOutcome entry : entries) {
                bind(insert, entry);
            }
            written = insert.executeBatch();
        }
        ProgressDelta progress = new ProgressDelta();
        List<CellWriter.Closed> closed = new ArrayList<>();
        for (int i = 0; i < written.length; i++) {
            RecordOutcome entry = entries.get(i);
            closed.add(closed(entry));
            if (written[i] > 0 && entry.outcome().status().isFinal()) {
                count(progress, entry);
            }
        }
        CellWriter.close(connection, closed);
        progress.write(connection);
    }

    private static void bind(PreparedStatement insert, RecordOutcome entry) throws SQLException {
        Outcome outcome = entry.outcome();
        Bind.to(insert)
                .values(entry.campaignId(), outcome.ordinal(), outcome.branchIndex(), entry.caseIndex(), entry.trial())
                .values(entry.epoch(), outcome.loopId(), outcome.status().name(), entry.passed())
                .values(
                        outcome.response(),
                        Json.write(outcome.answer().newMessages()),
                        outcome.answer().originalContextLength())
                .usage(outcome.usage())
                .values(
                        outcome.costUsd(),
                        outcome.latency().toMillis(),
                        outcome.end().attempts())
                .failure(outcome.failure())
                .value(Json.write(outcome.checks()))
                .value(entry.warnings().toArray(String[]::new))
                .addBatch();
    }

    private static CellWriter.Closed closed(RecordOutcome entry) {
        Outcome outcome = entry.outcome();
        CellKey cell = new CellKey(entry.campaignId(), outcome.ordinal(), CellKind.BRANCH, outcome.branchIndex());
        return new CellWriter.Closed(
                cell, entry.epoch(), outcome.status().isFinal(), outcome.end().attempts());
    }

    private static void count(ProgressDelta progress, RecordOutcome entry) {
        Outcome outcome = entry.outcome();
        progress.cellDone(
                entry.campaignId(),
                outcome.branchIndex(),
                entry.workerId(),
                Boolean.TRUE.equals(entry.passed()),
                outcome.status().isFailure(),
                outcome.usage(),
                outcome.costUsd());
    }
}
