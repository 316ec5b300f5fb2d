package dev.assay.store.result;

import com.fasterxml.jackson.core.type.TypeReference;
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

    /** Hands over what models were asked and answered: completed outcomes by trial number, then completed judge calls. */
    @ReadOnly
    public void recordedAnswers(String campaignId, Consumer<? super RecordedAnswer> consumer) {
        sql.forEach(
                "SELECT o.*, k.context FROM outcome o JOIN campaign c USING (campaign_id) " + ResultRows.caseOf("o")
                        + " WHERE o.campaign_id = ? AND o.status = 'COMPLETED' ORDER BY o.ordinal, o.branch_index",
                OutcomeStreams::branchAnswer,
                consumer,
                campaignId);
        sql.forEach("""
            SELECT j.*, p.system_prompt, p.prompt, j.ordinal % c.case_count AS case_index,
                j.ordinal / c.case_count + 1 AS trial
            FROM judge_call j JOIN judge_prompt p USING (prompt_hash) JOIN campaign c USING (campaign_id)
            WHERE j.campaign_id = ? AND j.status = 'COMPLETED' AND j.reply IS NOT NULL
            ORDER BY j.ordinal, j.member\
            """, OutcomeStreams::judgeAnswer, consumer, campaignId);
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
