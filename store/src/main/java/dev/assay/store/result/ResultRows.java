package dev.assay.store.result;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.draw.AnswerOrigin;
import dev.assay.domain.draw.AnswerSource;
import dev.assay.domain.draw.Delivered;
import dev.assay.domain.draw.Draw;
import dev.assay.domain.gate.TrialScore;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.judge.JudgePreview;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.domain.usage.Measured;
import dev.assay.store.journal.FinishedJudgeCall;
import dev.assay.store.label.LabelledOutcomes;
import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns of results and how they are read. */
final class ResultRows {

    /** Columns of an {@link OutcomeRow}, without its transcript. */
    static final String OUTCOME = """
        o.checks, k.case_id, b.branch_id, o.trial, o.passed, o.passed_before, o.score,
        CASE WHEN t.campaign_id IS NOT NULL THEN t.selected_index IS NOT DISTINCT FROM o.branch_index END AS selected,
        o.warnings, o.finished_at, o.source, o.origin_campaign, o.origin_case, o.origin_branch, o.origin_trial, o.origin_draw,
        o.delivery, o.batch_id, o.cost_assumed,
        coalesce(o.answered_at, o.finished_at) AS answered_at, o.requested, o.effective, o.served,
        CASE WHEN o.stdout IS NULL THEN
            jsonb_array_length(jsonb_path_query_array(o.messages, '$[*].content[*] ? (@.type == "tool_call")')) END AS commands,
        """ + LabelledOutcomes.LABELS + ", " + OutcomeColumns.COLUMNS;

    /** The tables of {@link #OUTCOME}, beside {@code outcome o} and {@code campaign c}. */
    static final String CAMPAIGN_JOINS = """

        %s
        JOIN campaign_branch b ON b.campaign_id = o.campaign_id AND b.branch_index = o.branch_index
        LEFT JOIN trial t ON t.campaign_id = o.campaign_id AND t.ordinal = o.ordinal
        """.formatted(caseOf("o"));

    /** The tables of {@link #OUTCOME}, beside {@code outcome o}. */
    static final String OUTCOME_JOINS = " JOIN campaign c ON c.campaign_id = o.campaign_id" + CAMPAIGN_JOINS;

    static final TypeReference<List<JudgeVote>> VOTES = new TypeReference<>() {};

    private ResultRows() {}

    /**
     * Joins as {@code k} the case of each row of {@code table}, beside {@code campaign c}. OFFSET 0 makes PostgreSQL look each up
     * by its key. Without statistics, as after a large suite was stored, it reads the whole suite for each row otherwise.
     */
    static String caseOf(String table) {
        return """
            CROSS JOIN LATERAL (SELECT s.case_id, s.context FROM suite_case s
                WHERE s.suite_id = c.suite_id AND s.case_index = %s.case_index OFFSET 0) k\
            """.formatted(table);
    }

    static OutcomeRow outcome(ResultSet row) throws SQLException {
        return outcome(row, List.of());
    }

    /** As {@link #outcome}, of a row that has {@code messages}, too. */
    static OutcomeRow transcribed(ResultSet row) throws SQLException {
        return outcome(row, OutcomeColumns.messages(row, "messages"));
    }

    private static OutcomeRow outcome(ResultSet row, List<Message> newMessages) throws SQLException {
        Outcome outcome = OutcomeColumns.read(row, newMessages, Columns.provenance(row));
        AnswerOrigin origin = origin(row);
        return new OutcomeRow(
                outcome,
                row.getString("case_id"),
                row.getString("branch_id"),
                row.getInt("trial"),
                Columns.booleanOrNull(row, "passed"),
                Columns.booleanOrNull(row, "passed_before"),
                origin.source() == AnswerSource.IMPORTED ? Columns.doubleOrNull(row, "score") : TrialScore.of(outcome),
                Columns.booleanOrNull(row, "selected"),
                Columns.strings(row, "warnings"),
                origin,
                delivered(row),
                LabelledOutcomes.read(row),
                Columns.integerOrNull(row, "commands"),
                Columns.instant(row, "finished_at"));
    }

    private static @Nullable Delivered delivered(ResultSet row) throws SQLException {
        String batch = row.getString("batch_id");
        return batch == null ? null : new Delivered(batch, row.getBoolean("cost_assumed"));
    }

    private static AnswerOrigin origin(ResultSet row) throws SQLException {
        String campaign = row.getString("origin_campaign");
        Draw draw = campaign == null
                ? null
                : new Draw(
                        campaign,
                        row.getString("origin_case"),
                        row.getString("origin_branch"),
                        row.getInt("origin_trial"),
                        row.getInt("origin_draw"));
        return new AnswerOrigin(
                AnswerSource.valueOf(row.getString("source")), draw, Columns.instant(row, "answered_at"));
    }

    static TrialSelection selection(ResultSet row) throws SQLException {
        return new TrialSelection(
                row.getInt("ordinal"),
                row.getInt("case_index"),
                row.getInt("trial"),
                row.getBoolean("complete"),
                new Selection(
                        row.getString("strategy"),
                        Decision.stored(
                                Columns.integerOrNull(row, "selected_index"),
                                row.getBoolean("fallback"),
                                row.getBoolean("decided"),
                                row.getBoolean("tied")),
                        row.getString("reason"),
                        Columns.json(row, "votes", VOTES),
                        Columns.usage(row)),
                Columns.instant(row, "finished_at"));
    }

    static FinishedJudgeCall judgeCall(ResultSet row) throws SQLException {
        OutcomeStatus status = OutcomeStatus.valueOf(row.getString("status"));
        return new FinishedJudgeCall(
                row.getInt("ordinal"),
                row.getString("model"),
                row.getString("loop_id"),
                status,
                new JudgePreview(
                        row.getString("system_prompt"),
                        row.getString("prompt"),
                        Json.read(row.getString("compaction"), Compaction.class),
                        row.getString("warning")),
                new JudgeAnswer(
                        row.getInt("member"),
                        Columns.integers(row, "shown"),
                        row.getString("reply"),
                        Columns.failure(row),
                        status.isFinal()),
                row.getString("delivery").equals("BATCH") ? measured(row).untimed() : measured(row),
                Columns.provenance(row),
                row.getInt("attempts"),
                row.getString("evaluator_hash"));
    }

    static Measured measured(ResultSet row) throws SQLException {
        return new Measured(
                Columns.usage(row), row.getBigDecimal("cost_usd"), Duration.ofMillis(row.getLong("latency_ms")));
    }
}
