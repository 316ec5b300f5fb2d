package dev.assay.store.result;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;

/** Counts cells that progress does not count. What a count takes grows with the cells that it finds, not with the campaign. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class ClosedCells implements QueryRepository {

    /** Cells that were skipped for the budget in an epoch: in a later one they are open. */
    @ReadOnly
    @Query("""
        SELECT count(*) FROM outcome WHERE campaign_id = :campaignId AND status = 'BUDGET_SKIPPED' AND epoch = :epoch
        """)
    public abstract long skipped(String campaignId, int epoch);

    /** Cells that re-runs asked again. */
    @ReadOnly
    @Query("""
        SELECT count(*) FROM (
            SELECT DISTINCT ordinal, member FROM replaced_result WHERE campaign_id = :campaignId AND kind = 'outcome') AS cells
        """)
    public abstract long rerun(String campaignId);

    /** Stored answers and calls that stand in for new ones. */
    @ReadOnly
    @Query("""
        SELECT count(*) FILTER (WHERE copy.is_cell) AS cells, count(*) FILTER (WHERE NOT copy.is_cell) AS calls,
               sum(copy.cost_usd) AS saved_usd, min(copy.answered_at) FILTER (WHERE copy.is_cell) AS answered_from,
               max(copy.answered_at) FILTER (WHERE copy.is_cell) AS answered_to
        FROM (
            SELECT true AS is_cell, cost_usd, answered_at FROM outcome WHERE campaign_id = :campaignId AND source = 'REUSED'
            UNION ALL
            SELECT false, cost_usd, answered_at FROM judge_call WHERE campaign_id = :campaignId AND source = 'REUSED') AS copy
        """)
    public abstract CopyCounts copies(String campaignId);
}
