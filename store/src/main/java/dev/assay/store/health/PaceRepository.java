package dev.assay.store.health;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.List;

/** The speed at which campaigns go on, and whom they share it with. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class PaceRepository implements QueryRepository {

    /**
     * The cells that a campaign closed of late.
     *
     * @param closed cells; a span that began earlier counts in part
     * @param windowMs milliseconds in which it did: 5 min, or since it went on
     */
    @Introspected
    public record Pace(double closed, long windowMs) {}

    /** Campaigns of which cells wait at a provider. */
    @Introspected
    public record WaitingCampaigns(String provider, long campaigns) {}

    /** The speed of a campaign in the last 5 min, or since it goes on. */
    @ReadOnly
    @Query("""
        WITH late AS (
            SELECT campaign_id, greatest(now() - interval '5 minutes', coalesce(changed_at, created_at)) AS since
            FROM campaign WHERE campaign_id = :campaignId),
        spans AS (
            SELECT s.cells, s.starts_at, least(now(), s.starts_at + s.width_s * interval '1 second') AS ends_at, l.since
            FROM series s JOIN late l USING (campaign_id) WHERE s.starts_at + s.width_s * interval '1 second' > l.since)
        SELECT coalesce((SELECT sum(cells * extract(epoch FROM ends_at - greatest(starts_at, since))
                                    / greatest(extract(epoch FROM ends_at - starts_at), 0.001)) FROM spans), 0)::float8 AS closed,
               coalesce((SELECT extract(epoch FROM now() - since) * 1000 FROM late), 0)::bigint AS window_ms
        """)
    public abstract Pace of(String campaignId);

    /** The number of campaigns that wait at each provider, by what live workers say. */
    @ReadOnly
    @Query("""
        SELECT l ->> 'provider' AS provider, count(DISTINCT l ->> 'campaignId') AS campaigns
        FROM worker w CROSS JOIN jsonb_array_elements(w.load) AS l
        WHERE worker_is_live(w.lease_until) AND (l ->> 'forPermit')::bigint > 0 GROUP BY 1
        """)
    public abstract List<WaitingCampaigns> waiting();
}
