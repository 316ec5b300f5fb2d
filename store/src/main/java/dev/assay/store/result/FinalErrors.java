package dev.assay.store.result;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.time.Instant;
import java.util.List;

/** The errors with which cells of a campaign ended. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class FinalErrors implements QueryRepository {

    /**
     * An error with which cells ended.
     *
     * @param code its code; a later build may know more
     * @param cells that ended with it
     * @param message the newest words, at most 500 characters
     * @param at when the newest of these cells ended
     */
    @Introspected
    public record FinalError(String code, long cells, String message, Instant at) {}

    /** The errors of a campaign by their code, the most frequent first. */
    @ReadOnly
    @Query("""
        SELECT e.error_code AS code, sum(e.cells)::bigint AS cells, max(e.at) AS at,
               (array_agg(left(coalesce(n.error_message, ''), 500) ORDER BY e.at DESC))[1] AS message
        FROM (SELECT status, error_code, count(*) AS cells, max(finished_at) AS at FROM outcome
              WHERE campaign_id = :campaignId AND error_code IS NOT NULL AND status IN ('MODEL_ERROR', 'TIMED_OUT')
              GROUP BY status, error_code) e
        CROSS JOIN LATERAL (
            SELECT o.error_message FROM outcome o
            WHERE o.campaign_id = :campaignId AND o.status = e.status AND o.error_code = e.error_code
              AND o.status IN ('MODEL_ERROR', 'TIMED_OUT')
            ORDER BY o.finished_at DESC, o.ordinal DESC, o.branch_index DESC LIMIT 1) n
        GROUP BY e.error_code ORDER BY 2 DESC, 1
        """)
    public abstract List<FinalError> of(String campaignId);

    /**
     * An error with which cells of a branch ended.
     *
     * @param code its code; a later build may know more
     * @param cells that ended with it
     */
    @Introspected
    public record BranchError(int branchIndex, String code, long cells) {}

    /** The errors of each branch by their code, the most frequent first. */
    @ReadOnly
    @Query("""
        SELECT branch_index, error_code AS code, count(*) AS cells FROM outcome
        WHERE campaign_id = :campaignId AND error_code IS NOT NULL AND status IN ('MODEL_ERROR', 'TIMED_OUT')
        GROUP BY branch_index, error_code ORDER BY 1, 3 DESC, 2
        """)
    public abstract List<BranchError> byBranch(String campaignId);
}
