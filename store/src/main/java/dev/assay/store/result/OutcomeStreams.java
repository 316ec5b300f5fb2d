package dev.assay.store.result;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.evaluation.OutcomeStatus;
import dev.assay.domain.message.Message;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/** All outcomes of a campaign, handed over one by one: campaigns are larger than memory. */
@Singleton
public class OutcomeStreams {

    private static final TypeReference<List<Message>> MESSAGES = new TypeReference<>() {};

    private final Sql sql;

    OutcomeStreams(Sql sql) {
        this.sql = sql;
    }

    /** Hands over the narrow columns of every outcome, by trial number, then branch. */
    @ReadOnly
    public void outcomeFacts(String campaignId, Consumer<OutcomeFact> consumer) {
        sql.forEach("""
            SELECT o.ordinal, o.branch_index, o.case_index, o.trial, o.status, o.passed,
                coalesce(t.decided AND t.selected_index = o.branch_index, false) AS won,
                o.input_tokens, o.output_tokens, o.reasoning_tokens, o.cache_read_tokens, o.cache_write_tokens,
                o.total_tokens, o.cost_usd, o.latency_ms, o.attempts, o.error_code
            FROM outcome o LEFT JOIN trial t USING (campaign_id, ordinal)
            WHERE o.campaign_id = ? ORDER BY o.ordinal, o.branch_index\
            """, OutcomeStreams::fact, consumer, campaignId);
    }

    /** How the trials were decided. */
    @ReadOnly
    public SelectionCounts selectionCounts(String campaignId) {
        return sql.first(
                        """
                        SELECT count(*) AS selected, count(*) FILTER (WHERE decided) AS decided,
                            count(*) FILTER (WHERE fallback) AS fallback
                        FROM trial WHERE campaign_id = ?\
                        """,
                        row -> new SelectionCounts(
                                row.getLong("selected"), row.getLong("decided"), row.getLong("fallback")),
                        campaignId)
                .orElseThrow();
    }

    /** Hands over what models were asked and answered: completed outcomes by trial number, then completed judge calls. */
    @ReadOnly
    public void recordedAnswers(String campaignId, Consumer<? super RecordedAnswer> consumer) {
        sql.forEach("""
            SELECT o.*, k.context FROM outcome o JOIN campaign c USING (campaign_id)
            JOIN suite_case k ON k.suite_id = c.suite_id AND k.case_index = o.case_index
            WHERE o.campaign_id = ? AND o.status = 'COMPLETED' ORDER BY o.ordinal, o.branch_index\
            """, OutcomeStreams::branchAnswer, consumer, campaignId);
        sql.forEach("""
            SELECT j.*, p.system_prompt, p.prompt, j.ordinal % c.case_count AS case_index,
                j.ordinal / c.case_count + 1 AS trial
            FROM judge_call j JOIN judge_prompt p USING (prompt_hash) JOIN campaign c USING (campaign_id)
            WHERE j.campaign_id = ? AND j.status = 'COMPLETED' AND j.reply IS NOT NULL
            ORDER BY j.ordinal, j.member\
            """, OutcomeStreams::judgeAnswer, consumer, campaignId);
    }

    private static OutcomeFact fact(ResultSet row) throws SQLException {
        return new OutcomeFact(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getInt("case_index"),
                row.getInt("trial"),
                OutcomeStatus.valueOf(row.getString("status")),
                Columns.booleanOrNull(row, "passed"),
                row.getBoolean("won"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"),
                row.getInt("attempts"),
                row.getString("error_code"));
    }

    private static RecordedAnswer branchAnswer(ResultSet row) throws SQLException {
        return new RecordedAnswer.OfBranch(
                row.getInt("branch_index"),
                row.getInt("case_index"),
                row.getInt("trial"),
                Columns.json(row, "context", MESSAGES),
                Columns.json(row, "messages", MESSAGES),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"));
    }

    private static RecordedAnswer judgeAnswer(ResultSet row) throws SQLException {
        return new RecordedAnswer.OfJudge(
                row.getInt("member"),
                row.getInt("case_index"),
                row.getInt("trial"),
                row.getString("system_prompt"),
                row.getString("prompt"),
                row.getString("reply"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                row.getLong("latency_ms"));
    }
}
