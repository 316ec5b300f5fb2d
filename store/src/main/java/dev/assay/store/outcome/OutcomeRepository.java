package dev.assay.store.outcome;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.assay.domain.check.CheckResult;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads outcomes back as the domain knows them. They are written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class OutcomeRepository {

    private static final TypeReference<List<CheckResult>> CHECKS = new TypeReference<>() {};

    private final Sql sql;

    OutcomeRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * The outcomes of the given trials as strategies and judges see them, by trial number; within a trial in the order of the
     * branches. Transcripts, which neither looks at, are left empty.
     *
     * @param withChecks whether to read the results of checks; else they are left empty, too
     */
    @ReadOnly
    public Map<Integer, List<Outcome>> forSelection(
            String campaignId, Collection<Integer> ordinals, boolean withChecks) {
        Map<Integer, List<Outcome>> outcomes = new TreeMap<>();
        sql.forEach(
                """
                SELECT ordinal, branch_index, loop_id, status, original_context_length, response, input_tokens,
                    output_tokens, reasoning_tokens, cache_read_tokens, cache_write_tokens, total_tokens, cost_usd,
                    latency_ms, attempts, error_code, error_message, CASE WHEN ? THEN checks ELSE '[]' END AS checks
                FROM outcome
                WHERE campaign_id = ? AND ordinal = ANY (?::integer[])
                ORDER BY ordinal, branch_index\
                """,
                OutcomeRepository::outcome,
                outcome -> outcomes.computeIfAbsent(outcome.ordinal(), _ -> new ArrayList<>())
                        .add(outcome),
                withChecks,
                campaignId,
                ordinals);
        return outcomes;
    }

    private static Outcome outcome(ResultSet row) throws SQLException {
        return new Outcome(
                row.getInt("ordinal"),
                row.getInt("branch_index"),
                row.getString("loop_id"),
                OutcomeStatus.valueOf(row.getString("status")),
                List.of(),
                row.getInt("original_context_length"),
                row.getString("response"),
                Columns.usage(row),
                row.getBigDecimal("cost_usd"),
                Duration.ofMillis(row.getLong("latency_ms")),
                row.getInt("attempts"),
                Columns.failure(row),
                Columns.json(row, "checks", CHECKS));
    }
}
