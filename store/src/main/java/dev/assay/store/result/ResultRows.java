package dev.assay.store.result;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.compaction.Compaction;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeVote;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.selection.Decision;
import dev.assay.domain.selection.Selection;
import dev.assay.store.result.OutcomeRow.OutcomeError;
import dev.assay.store.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns of results and how they are read. */
final class ResultRows {

    /** Columns of an {@link OutcomeRow}. */
    static final String OUTCOME = """
        o.ordinal, o.branch_index, k.case_id, b.branch_id, o.trial, o.status, o.passed,
        CASE WHEN t.campaign_id IS NOT NULL THEN t.selected_index IS NOT DISTINCT FROM o.branch_index END AS selected,
        o.response, o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens,
        o.total_tokens, o.cost_usd, o.latency_ms, o.attempts, o.error_code, o.error_message, o.checks, o.warnings,
        o.finished_at
        """;

    /** What {@link #OUTCOME} is read from, beside {@code outcome o}. */
    static final String OUTCOME_JOINS = """

        JOIN campaign c USING (campaign_id)
        %s
        JOIN campaign_branch b USING (campaign_id, branch_index)
        LEFT JOIN trial t USING (campaign_id, ordinal)
        """.formatted(caseOf("o"));

    private static final TypeReference<List<CheckResult>> CHECKS = new TypeReference<>() {};

    static final TypeReference<List<JudgeVote>> VOTES = new TypeReference<>() {};

    private ResultRows() {}

    /**
     * Joins as {@code k} the case of each row of {@code table}, beside {@code campaign c}. OFFSET 0 makes PostgreSQL look each up by
     * its key: without statistics, as after a large suite was stored, it reads the whole suite for each row otherwise.
     */
    static String caseOf(String table) {
        return """
            CROSS JOIN LATERAL (SELECT s.case_id, s.context FROM suite_case s
                WHERE s.suite_id = c.suite_id AND s.case_index = %s.case_index OFFSET 0) k\
            """.formatted(table);
    }

    static OutcomeRow outcome(ResultSet row) throws SQLException {
        return new OutcomeRow(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("case_id"),
                row.getString("branch_id"),
                row.getInt("trial"),
                OutcomeStatus.valueOf(row.getString("status")),
                Columns.booleanOrNull(row, "passed"),
                Columns.booleanOrNull(row, "selected"),
                row.getString("response"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"),
                row.getInt("attempts"),
                error(row),
                Columns.json(row, "checks", CHECKS),
                Columns.strings(row, "warnings"),
                Columns.instant(row, "finished_at"));
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
                                row.getBoolean("decided")),
                        row.getString("reason"),
                        Columns.json(row, "votes", VOTES)),
                Columns.instant(row, "finished_at"));
    }

    static JudgeCallRow judgeCall(ResultSet row) throws SQLException {
        return new JudgeCallRow(
                row.getInt("ordinal"),
                row.getInt("member"),
                row.getString("loop_id"),
                OutcomeStatus.valueOf(row.getString("status")),
                row.getString("system_prompt"),
                row.getString("prompt"),
                Columns.integers(row, "shown"),
                row.getString("reply"),
                Json.read(row.getString("compaction"), Compaction.class),
                row.getString("warning"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"),
                row.getInt("attempts"),
                error(row),
                Columns.instant(row, "finished_at"));
    }

    static LedgerTotals spend(ResultSet row) throws SQLException {
        return new LedgerTotals(
                row.getBigDecimal("settled_usd"),
                row.getBigDecimal("reserved_usd"),
                row.getBigDecimal("unknown_usd"),
                row.getLong("requests"),
                row.getLong("unknown_requests"));
    }

    private static @Nullable OutcomeError error(ResultSet row) throws SQLException {
        String code = row.getString("error_code");
        if (code == null) {
            return null;
        }
        String message = row.getString("error_message");
        return new OutcomeError(code, message == null ? code : message);
    }
}
