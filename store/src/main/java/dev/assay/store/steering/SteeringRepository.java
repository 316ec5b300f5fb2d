package dev.assay.store.steering;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.steering.LimitChange;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.sql.QueryRepository;
import dev.assay.store.sql.Sql;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.math.BigDecimal;

/** What a change of a campaign reads and writes. Nothing is decided here. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class SteeringRepository implements QueryRepository {

    private final Sql sql;
    private final CampaignRepository campaigns;

    SteeringRepository(Sql sql, CampaignRepository campaigns) {
        this.sql = sql;
        this.campaigns = campaigns;
    }

    /**
     * The campaign, locked: no other change, no new outcome and no end of it is recorded until the caller's transaction is over.
     *
     * @throws AssayException NOT_FOUND
     */
    @Transactional
    public StoredCampaign lock(String campaignId) {
        sql.exists("SELECT 1 FROM campaign WHERE campaign_id = ? FOR UPDATE", campaignId);
        return campaigns.required(campaignId);
    }

    /** The settled cost of its requests, what those in flight may cost, and what those of unknown cost may have, in US dollars. */
    @ReadOnly
    @Query("""
        SELECT coalesce(sum(coalesce(settled_usd, 0) + coalesce(reserved_usd, 0) + coalesce(unknown_usd, 0)), 0)
        FROM campaign_spend WHERE campaign_id = :campaignId
        """)
    public abstract BigDecimal committedUsd(String campaignId);

    /** Whether trials of the campaign are open that are needed. */
    @ReadOnly
    public boolean hasOpenTrials(String campaignId) {
        return sql.exists(
                "SELECT 1 FROM trial WHERE campaign_id = ? AND NOT complete AND NOT not_needed LIMIT 1", campaignId);
    }

    /**
     * Sets the limits that {@code change} names.
     *
     * @param reopensSkipped whether cells that were skipped or not needed are open again, as soon as no other is
     */
    @Transactional
    public void setLimits(String campaignId, LimitChange change, boolean reopensSkipped) {
        sql.update(
                """
                UPDATE campaign SET max_concurrent = coalesce(?, max_concurrent), budget_usd = coalesce(?, budget_usd),
                    max_outage_ms = coalesce(?, max_outage_ms), trials = coalesce(?, trials), reopens_skipped = reopens_skipped OR ?,
                    extensions = CASE WHEN ? > trials THEN extensions || (? - trials) ELSE extensions END
                WHERE campaign_id = ?\
                """,
                change.maxConcurrent(),
                change.budgetUsd(),
                change.maxOutage() == null ? null : (Long) change.maxOutage().toMillis(),
                change.trials(),
                reopensSkipped,
                change.trials(),
                change.trials(),
                campaignId);
    }
}
