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
}
