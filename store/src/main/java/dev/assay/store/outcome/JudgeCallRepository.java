package dev.assay.store.outcome;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The stored replies of judges. Written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class JudgeCallRepository {

    private final Sql sql;

    JudgeCallRepository(Sql sql) {
        this.sql = sql;
    }

    /** The judge calls of the given trials that stand in this run, by trial number, in their order. */
    @ReadOnly
    public Map<Integer, List<JudgeAnswer>> ofTrials(RunKey run, Collection<Integer> ordinals) {
        return sql.grouped(
                """
                SELECT ordinal, member, shown, reply, error_code, error_message,
                    status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') AS is_final
                FROM judge_call
                WHERE campaign_id = ? AND ordinal = ANY (?::integer[]) AND graded_branch IS NULL
                  AND (status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR epoch >= ?)
                ORDER BY ordinal, member\
                """,
                row -> row.getInt("ordinal"),
                row -> new JudgeAnswer(
                        row.getInt("member"),
                        Columns.integers(row, "shown"),
                        row.getString("reply"),
                        Columns.failure(row),
                        row.getBoolean("is_final")),
                run.campaignId(),
                ordinals,
                run.epoch());
    }
}
