package dev.assay.store.journal;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.draw.AnswerHash;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.draw.RequestName;
import dev.assay.domain.gate.TrialVerdict;
import dev.assay.domain.isolation.IsolationLevel;
import dev.assay.domain.json.Json;
import dev.assay.domain.matrix.CellState;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.trace.ModelUse;
import dev.assay.domain.trace.ProgramRun;
import dev.assay.store.journal.JournalEntry.RecordOutcome;
import dev.assay.store.matrix.MatrixWriter;
import dev.assay.store.series.SeriesWriter;
import dev.assay.store.sql.RowColumns;
import dev.assay.store.sql.Sql;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The writer of outcomes, which closes their cells and counts them. */
public final class OutcomeWriter {

    private static final RowColumns<RecordOutcome> COLUMNS = RowColumns.<RecordOutcome>of()
            .key("campaign_id", RecordOutcome::campaignId)
            .key("ordinal", entry -> entry.outcome().ordinal())
            .key("branch_index", entry -> entry.outcome().branchIndex())
            .key("case_index", RecordOutcome::caseIndex)
            .key("trial", RecordOutcome::trial)
            .column("epoch", RecordOutcome::epoch)
            .column("loop_id", entry -> entry.outcome().loopId())
            .column("status", OutcomeWriter::storedStatus)
            .column("passed", RecordOutcome::passed)
            .column("response", entry -> entry.outcome().response())
            .json("messages", entry -> entry.outcome().answer().newMessages())
            .column("original_context_length", entry -> entry.outcome().answer().originalContextLength())
            .usage(entry -> entry.outcome().usage())
            .column("cost_usd", entry -> entry.outcome().costUsd())
            .column("latency_ms", entry -> Math.max(0, entry.outcome().latency().toMillis()))
            .column("attempts", entry -> entry.outcome().end().attempts())
            .failure(entry -> entry.outcome().failure())
            .json("checks", entry -> entry.outcome().checks())
            .column("warnings", RecordOutcome::warnings)
            .provenance(entry -> entry.outcome().answer().provenance())
            .column("exit_code", entry -> entry.outcome().exitCode())
            .column("stdout", entry -> ofProgram(entry, ProgramRun::stdout))
            .column("stderr", entry -> ofProgram(entry, ProgramRun::stderr))
            .column("score", RecordOutcome::score)
            .column("finish_reason", entry -> entry.outcome().answer().finishReason())
            .column("not_needed", OutcomeWriter::isNotNeeded)
            .json("reported", entry -> ofModels(entry, ModelUse::reported))
            .column("model_turns", entry -> ofModels(entry, ModelUse::turns))
            .column("isolation", OutcomeWriter::isolation)
            .column("output", entry -> output(entry.outcome()))
            .column("answer_hash", entry -> AnswerHash.of(entry.outcome()))
            .columnOr("source", "text", "'LIVE'", entry -> DrawColumns.source(entry.draw()))
            .column("origin_campaign", entry -> DrawColumns.ofDraw(entry.draw(), Draw::campaign))
            .column("origin_case", entry -> DrawColumns.ofDraw(entry.draw(), Draw::caseId))
            .column("origin_branch", entry -> DrawColumns.ofDraw(entry.draw(), Draw::branchId))
            .column("origin_trial", entry -> DrawColumns.ofDraw(entry.draw(), Draw::trial))
            .column("origin_draw", entry -> DrawColumns.ofDraw(entry.draw(), Draw::draw))
            .columnOr("answered_at", "timestamptz", "now()", entry -> DrawColumns.answeredAt(entry.draw()))
            .column("request_key", entry -> DrawColumns.ofRequest(entry.draw(), RequestName::key))
            .column("request_rank", entry -> DrawColumns.ofRequest(entry.draw(), RequestName::rank))
            .columnOr("delivery", "text", "'LIVE'", entry -> DrawColumns.delivery(entry.draw()))
            .column("batch_id", entry -> DrawColumns.batchId(entry.draw()))
            .columnOr("cost_assumed", "boolean", "false", entry -> DrawColumns.costAssumed(entry.draw()))
            .column("redrawn", entry -> DrawColumns.redrawn(entry.draw()));

    // A final outcome is never replaced; one that is not final gives way to the next.
    private static final String INSERT = COLUMNS.insert("outcome AS o")
            + " ON CONFLICT (campaign_id, ordinal, branch_index) DO UPDATE SET " + COLUMNS.replaced()
            + ", finished_at = now() WHERE o.status IN ('CANCELLED', 'BUDGET_SKIPPED')";

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

    /** Writes outcomes that another tool recorded, in the current transaction: no cell was ever open, and nothing is counted. */
    public static void writeImported(Sql sql, List<RecordOutcome> entries) {
        sql.batch(INSERT, entries, COLUMNS::parameters);
        note(sql, entries);
    }

    /** Writes rows and closes their cells; counts nothing. */
    static List<RecordOutcome> insert(Sql sql, List<RecordOutcome> entries) {
        List<RecordOutcome> written = sql.changed(INSERT, entries, COLUMNS::parameters);
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

    private static boolean isNotNeeded(RecordOutcome entry) {
        return entry.outcome().status() == OutcomeStatus.NOT_NEEDED;
    }

    private static String storedStatus(RecordOutcome entry) {
        return (isNotNeeded(entry) ? OutcomeStatus.CANCELLED : entry.outcome().status()).name();
    }

    private static <V> @Nullable V ofProgram(RecordOutcome entry, Function<ProgramRun, @Nullable V> value) {
        ProgramRun program = entry.outcome().answer().program();
        return program == null ? null : value.apply(program);
    }

    private static <V> @Nullable V ofModels(RecordOutcome entry, Function<ModelUse, V> value) {
        ModelUse models = ofProgram(entry, ProgramRun::models);
        return models == null ? null : value.apply(models);
    }

    /** What checks saw, as it is stored; null: the response. */
    static @Nullable String output(Outcome outcome) {
        return outcome.answer().output() == null
                ? null
                : Json.write(outcome.answer().output());
    }

    private static @Nullable String isolation(RecordOutcome entry) {
        IsolationLevel level = ofProgram(entry, ProgramRun::isolation);
        return level == null ? null : level.word();
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
