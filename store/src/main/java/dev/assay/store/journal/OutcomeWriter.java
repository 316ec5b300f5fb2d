package dev.assay.store.journal;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.json.Json;
import dev.assay.domain.matrix.CellState;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.trace.ModelUse;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.series.SeriesWriter;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer of outcomes, which closes their cells and counts them. */
public final class OutcomeWriter {

    // A final outcome is never replaced; one that is not final gives way to the next.
    private static final String INSERT = """
        INSERT INTO outcome AS o (campaign_id, ordinal, branch_index, case_index, trial, epoch, loop_id, status, passed,
            response, messages, original_context_length, input_tokens, output_tokens, reasoning_tokens,
            cache_read_tokens, cache_write_tokens, total_tokens, cost_usd, latency_ms, attempts, error_code,
            error_message, checks, warnings, requested, effective, served, exit_code, stdout, stderr, score, finish_reason,
            not_needed, reported, model_turns, isolation)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?::jsonb, ?::jsonb,
            ?::jsonb, ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?)
        ON CONFLICT (campaign_id, ordinal, branch_index) DO UPDATE SET
            epoch = excluded.epoch, loop_id = excluded.loop_id, status = excluded.status, passed = excluded.passed,
            response = excluded.response, messages = excluded.messages,
            original_context_length = excluded.original_context_length, input_tokens = excluded.input_tokens,
            output_tokens = excluded.output_tokens, reasoning_tokens = excluded.reasoning_tokens,
            cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
            total_tokens = excluded.total_tokens, cost_usd = excluded.cost_usd, latency_ms = excluded.latency_ms,
            attempts = excluded.attempts, error_code = excluded.error_code, error_message = excluded.error_message,
            checks = excluded.checks, warnings = excluded.warnings, requested = excluded.requested,
            effective = excluded.effective, served = excluded.served, exit_code = excluded.exit_code,
            stdout = excluded.stdout, stderr = excluded.stderr, score = excluded.score,
            finish_reason = excluded.finish_reason, not_needed = excluded.not_needed,
            reported = excluded.reported, model_turns = excluded.model_turns,
            isolation = excluded.isolation, finished_at = now()
        WHERE o.status IN ('CANCELLED', 'BUDGET_SKIPPED')\
        """;

    private OutcomeWriter() {}

    /**
     * Writes {@code entries} in the current transaction.
     *
     * @return those that stand; the others were discarded
     */
    public static List<RecordOutcome> write(Sql sql, List<RecordOutcome> entries) {
        List<RecordOutcome> written = insert(sql, entries);
        count(sql, written);
        return written;
    }

    /** Writes rows and closes their cells; counts nothing. */
    static List<RecordOutcome> insert(Sql sql, List<RecordOutcome> entries) {
        List<RecordOutcome> written = sql.changed(INSERT, entries, OutcomeWriter::columns);
        CellWriter.close(sql, entries.stream().map(OutcomeWriter::closed).toList());
        return written;
    }

    /** Counts outcomes that were written. */
    static void count(Sql sql, List<RecordOutcome> written) {
        ProgressDelta progress = new ProgressDelta();
        SeriesWriter series = new SeriesWriter();
        written.forEach(entry -> count(progress, series, entry));
        progress.write(sql);
        series.write(sql);
        note(sql, written);
    }

    private static void note(Sql sql, List<RecordOutcome> written) {
        MatrixWriter matrices = new MatrixWriter();
        for (RecordOutcome entry : written) {
            Outcome outcome = entry.outcome();
            matrices.of(entry.campaignId())
                    .cell(outcome.ordinal(), outcome.branchIndex(), CellState.of(outcome.status(), entry.passed()));
        }
        matrices.write(sql);
    }

    private static @Nullable Object[] columns(RecordOutcome entry) {
        Outcome outcome = entry.outcome();
        ProgramRun program = outcome.answer().program();
        ModelUse models = program == null ? null : program.models();
        boolean notNeeded = outcome.status() == OutcomeStatus.NOT_NEEDED;
        return Sql.row(
                entry.campaignId(),
                outcome.ordinal(),
                outcome.branchIndex(),
                entry.caseIndex(),
                entry.trial(),
                entry.epoch(),
                outcome.loopId(),
                (notNeeded ? OutcomeStatus.CANCELLED : outcome.status()).name(),
                entry.passed(),
                outcome.response(),
                Json.write(outcome.answer().newMessages()),
                outcome.answer().originalContextLength(),
                Columns.usage(outcome.usage()),
                outcome.costUsd(),
                outcome.latency().toMillis(),
                outcome.end().attempts(),
                Columns.failure(outcome.failure()),
                Json.write(outcome.checks()),
                entry.warnings(),
                Columns.provenance(outcome.answer().provenance()),
                outcome.exitCode(),
                program == null ? null : program.stdout(),
                program == null ? null : program.stderr(),
                entry.score(),
                outcome.answer().finishReason(),
                notNeeded,
                models == null ? null : Json.write(models.reported()),
                models == null ? null : models.turns(),
                program == null || program.isolation() == null
                        ? null
                        : program.isolation().word());
    }

    private static CellWriter.Closed closed(RecordOutcome entry) {
        Outcome outcome = entry.outcome();
        return new CellWriter.Closed(
                entry.cell(),
                entry.epoch(),
                entry.workerId(),
                outcome.status().isFinal(),
                outcome.end().attempts());
    }

    private static void count(ProgressDelta progress, SeriesWriter series, RecordOutcome entry) {
        Outcome outcome = entry.outcome();
        if (outcome.status() == OutcomeStatus.NOT_NEEDED) {
            progress.notNeeded(new RunKey(entry.campaignId(), entry.epoch()), outcome.branchIndex(), 1);
        }
        if (!outcome.status().isFinal()) {
            return;
        }
        progress.cellDone(
                entry.campaignId(),
                outcome.branchIndex(),
                entry.workerId(),
                TrialVerdict.ofStored(
                        outcome.status(),
                        entry.passed(),
                        outcome.failure() == null ? null : outcome.failure().code()),
                outcome.usage(),
                outcome.costUsd());
        series.cellDone(
                entry.campaignId(),
                entry.workerId(),
                Boolean.TRUE.equals(entry.passed()),
                outcome.status().isFailure(),
                outcome.latency(),
                outcome.costUsd());
    }
}
