package dev.assay.store.outcome;

import dev.assay.domain.campaign.RunKey;
import dev.assay.domain.grading.GradeCall;
import dev.assay.domain.grading.Prepared;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.JudgeAnswer;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.usage.Measured;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The outcomes that wait for grades, and the replies of graders. Written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class GradeRepository {

    private final Sql sql;

    GradeRepository(Sql sql) {
        this.sql = sql;
    }

    /** The outcomes of the given trials that wait for grades, with their transcripts, by trial number. */
    @ReadOnly
    public Map<Integer, List<UngradedOutcome>> ungraded(String campaignId, Collection<Integer> ordinals) {
        return sql.grouped(
                "SELECT " + OutcomeColumns.COLUMNS + """
                    , o.checks, o.messages, o.requested, o.effective, o.served, u.prepared
                    FROM ungraded_outcome u CROSS JOIN LATERAL jsonb_populate_record(NULL::outcome, u.outcome) o
                    WHERE u.campaign_id = ? AND u.ordinal = ANY (?::integer[]) ORDER BY u.ordinal, u.branch_index\
                    """,
                row -> row.getInt("ordinal"),
                GradeRepository::ungraded,
                campaignId,
                ordinals);
    }

    /** Those of the given trials of which outcomes wait for grades. */
    @ReadOnly
    public Set<Integer> waiting(String campaignId, Collection<Integer> ordinals) {
        return Set.copyOf(sql.list(
                "SELECT DISTINCT ordinal FROM ungraded_outcome WHERE campaign_id = ? AND ordinal = ANY (?::integer[])",
                row -> row.getInt(1),
                campaignId,
                ordinals));
    }

    /** What the program printed that gave an answer which waits; empty: none did. */
    @ReadOnly
    public Optional<byte[]> stdout(String campaignId, int ordinal, int branchIndex) {
        return sql.first("""
            SELECT (jsonb_populate_record(NULL::outcome, jsonb_build_object('stdout', outcome -> 'stdout'))).stdout
            FROM ungraded_outcome WHERE campaign_id = ? AND ordinal = ? AND branch_index = ?
              AND outcome ->> 'stdout' IS NOT NULL\
            """, row -> row.getBytes(1), campaignId, ordinal, branchIndex);
    }

    /** The graders' calls of the given trials that stand in this run, by trial number. */
    @ReadOnly
    public Map<Integer, List<GradeCall>> calls(RunKey run, Collection<Integer> ordinals) {
        return sql.grouped(
                """
                SELECT * FROM judge_call
                WHERE campaign_id = ? AND ordinal = ANY (?::integer[]) AND graded_branch IS NOT NULL
                  AND (status NOT IN ('CANCELLED', 'BUDGET_SKIPPED') OR epoch >= ?)\
                """, row -> row.getInt("ordinal"), GradeRepository::read, run.campaignId(), ordinals, run.epoch());
    }

    private static UngradedOutcome ungraded(ResultSet row) throws SQLException {
        String prepared = row.getString("prepared");
        return new UngradedOutcome(
                OutcomeColumns.read(row, OutcomeColumns.messages(row, "messages"), Columns.provenance(row)),
                prepared == null ? null : Json.read(prepared, Prepared.class));
    }

    private static GradeCall read(ResultSet row) throws SQLException {
        return new GradeCall(
                new JudgeAnswer(
                        row.getInt("member"),
                        List.of(),
                        row.getString("reply"),
                        Columns.failure(row),
                        OutcomeStatus.valueOf(row.getString("status")).isFinal()),
                new Measured(
                        Columns.usage(row),
                        row.getBigDecimal("cost_usd"),
                        Duration.ofMillis(row.getLong("latency_ms"))),
                row.getString("evaluator_hash"));
    }
}
