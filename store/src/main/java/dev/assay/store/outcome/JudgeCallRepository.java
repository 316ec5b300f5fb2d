package dev.assay.store.outcome;

import dev.assay.domain.error.Failure;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what judges said. Written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class JudgeCallRepository {

    private final Sql sql;

    JudgeCallRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * What a judge said.
     *
     * @param shown branch indexes in the order in which their responses were shown
     * @param reply its words; null when it failed or was skipped
     * @param failure why there is no reply; null when there is one
     * @param isFinal whether it will not be asked again
     */
    public record JudgeReplyRow(
            List<Integer> shown,
            @Nullable String reply,
            @Nullable Failure failure,
            boolean isFinal) {}

    /** The judge's replies for the given trials that stand in this epoch, by trial number. */
    @ReadOnly
    public Map<Integer, JudgeReplyRow> ofTrials(String campaignId, int epoch, Collection<Integer> ordinals) {
        Map<Integer, JudgeReplyRow> replies = new HashMap<>();
        sql.forEach(
                """
                SELECT ordinal, shown, reply, error_code, error_message,
                    status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') AS is_final
                FROM judge_call
                WHERE campaign_id = ? AND member = 0 AND ordinal = ANY (?::integer[])
                  AND (status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR epoch >= ?)\
                """,
                row -> Map.entry(
                        row.getInt("ordinal"),
                        new JudgeReplyRow(
                                Columns.integers(row, "shown"),
                                row.getString("reply"),
                                FailureColumns.read(row),
                                row.getBoolean("is_final"))),
                entry -> replies.put(entry.getKey(), entry.getValue()),
                campaignId,
                ordinals,
                epoch);
        return replies;
    }
}
