package dev.assay.store.result;

import dev.assay.store.outcome.OutcomeColumns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.function.Consumer;

/** All outcomes of a campaign, handed over one by one: campaigns are larger than memory. */
@Singleton
public class OutcomeStreams {

    private final Sql sql;

    OutcomeStreams(Sql sql) {
        this.sql = sql;
    }

    /** Hands over requests to models and their answers: completed outcomes by trial number, then completed judge calls. */
    @ReadOnly
    public void recordedAnswers(String campaignId, Consumer<? super RecordedAnswer> consumer) {
        sql.forEach(
                // Without the output of programs: a thousand rows are in memory at once.
                "SELECT " + OutcomeColumns.COLUMNS + ", o.checks, o.messages, k.context"
                        + " FROM outcome o JOIN campaign c USING (campaign_id) " + ResultRows.caseOf("o")
                        + " WHERE o.campaign_id = ? AND o.status = 'COMPLETED' ORDER BY o.ordinal, o.branch_index",
                row -> new RecordedAnswer.OfBranch(
                        OutcomeColumns.messages(row, "context"),
                        OutcomeColumns.read(row, OutcomeColumns.messages(row, "messages"))),
                consumer,
                campaignId);
        sql.forEach("""
            SELECT j.*, p.system_prompt, p.prompt FROM judge_call j JOIN judge_prompt p USING (prompt_hash)
            WHERE j.campaign_id = ? AND j.status = 'COMPLETED' AND j.reply IS NOT NULL AND j.graded_branch IS NULL
            ORDER BY j.ordinal, j.member\
            """, row -> new RecordedAnswer.OfJudge(ResultRows.judgeCall(row)), consumer, campaignId);
    }
}
