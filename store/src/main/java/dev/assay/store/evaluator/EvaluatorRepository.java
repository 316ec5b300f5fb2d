package dev.assay.store.evaluator;

import dev.assay.domain.evaluator.Evaluator;
import dev.assay.domain.evaluator.EvaluatorSet;
import dev.assay.domain.evaluator.UsedEvaluator;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The evaluators on record. They are written by {@link dev.assay.store.journal.RunJournal}. */
@Singleton
public class EvaluatorRepository {

    /** A group has the evaluators of its checks; the parts of which own code says that its result is made have none. */
    private static final String USED = """
        SELECT r.evaluator AS hash, count(DISTINCT (o.ordinal, o.branch_index)) AS cells
        FROM outcome o CROSS JOIN LATERAL (
            WITH RECURSIVE result AS (
                SELECT jsonb_array_elements(o.checks) AS one
                UNION ALL
                SELECT jsonb_array_elements(one -> 'checks') FROM result WHERE one ->> 'type' = 'group')
            SELECT one ->> 'evaluator' AS evaluator FROM result
            WHERE one ->> 'type' <> 'group' AND (one ->> 'evaluator' IS NOT NULL OR one -> 'lost' IS NULL)) r
        WHERE o.campaign_id = ? AND o.branch_index = COALESCE(?::integer, o.branch_index)
        GROUP BY r.evaluator\
        """;

    private static final String ALL_USED = """
        SELECT count(*) AS evaluators, bool_and(u.hash IS NOT NULL) AS known,
               encode(sha256(convert_to(string_agg(u.hash, ' ' ORDER BY u.hash COLLATE "C"), 'UTF8')), 'hex') AS digest
        FROM (\
        """ + USED + ") u";

    private static final String MOST_USED = """
        SELECT u.hash, u.cells, e.kind, e.definition ->> 'code' AS code
        FROM (\
        """ + USED + """
        ) u LEFT JOIN evaluator e ON e.evaluator_hash = u.hash
        ORDER BY u.cells DESC, u.hash COLLATE "C" NULLS LAST LIMIT ?\
        """;

    private final Sql sql;

    EvaluatorRepository(Sql sql) {
        this.sql = sql;
    }

    /** The one with this hash. */
    @ReadOnly
    public Optional<StoredEvaluator> find(String hash) {
        return sql.first(
                "SELECT evaluator_hash, kind, definition, first_seen_at FROM evaluator WHERE evaluator_hash = ?",
                row -> new StoredEvaluator(
                        new Evaluator(
                                row.getString("evaluator_hash"), row.getString("kind"), row.getString("definition")),
                        Columns.instant(row, "first_seen_at")),
                hash);
    }

    /**
     * The evaluators of the results of a campaign's checks.
     *
     * @param branchIndex of one branch only; null: of all
     */
    @ReadOnly
    public EvaluatorSet used(String campaignId, @Nullable Integer branchIndex) {
        List<UsedEvaluator> most = sql.list(
                MOST_USED,
                row -> new UsedEvaluator(
                        row.getString("hash"), row.getString("kind"), row.getString("code"), row.getInt("cells")),
                campaignId,
                branchIndex,
                EvaluatorSet.MOST);
        return sql.first(
                        ALL_USED,
                        row -> new EvaluatorSet(
                                most,
                                row.getInt("evaluators"),
                                row.getInt("evaluators") == 0
                                        ? ""
                                        : row.getBoolean("known") ? row.getString("digest") : null),
                        campaignId,
                        branchIndex)
                .orElseThrow();
    }
}
