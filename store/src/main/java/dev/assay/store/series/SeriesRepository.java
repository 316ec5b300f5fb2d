package dev.assay.store.series;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.DataType;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import java.util.Collection;
import java.util.List;

/** The speed of campaigns over time. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class SeriesRepository implements QueryRepository {

    /** The spans of a campaign in which something was counted, oldest first, all of one length, at most 300. */
    // All spans become as long as the longest, and longer where there are too many: a campaign that goes on after
    // weeks.
    @ReadOnly
    @Query("""
        WITH own AS (SELECT * FROM series WHERE campaign_id = :campaignId),
        width AS (
            SELECT greatest(max(width_s), power(2, ceil(log(2, greatest(1,
                extract(epoch FROM max(starts_at) - min(starts_at)) / (300 - 1)))))::integer) AS s FROM own)
        SELECT to_timestamp(floor(extract(epoch FROM o.starts_at) / w.s) * w.s) AS starts_at, w.s AS seconds,
            sum(o.cells) AS cells, sum(o.passed) AS passed, sum(o.failed) AS failed,
            (sum(o.calls) / nullif(sum(o.samples), 0))::float8 AS in_flight, sum(o.cost_usd) AS cost_usd
        FROM own o, width w GROUP BY 1, 2 ORDER BY 1
        """)
    public abstract List<SeriesBucket> find(String campaignId);

    /**
     * Counts the calls in flight of some campaigns into the current span: those of all live workers, as they last said. A permit
     * that moved since then may be in two of these numbers, so the limit bounds them.
     *
     * @param shard the worker that counts
     */
    // In the order in which results count their cells, so that no two transactions wait for each other's rows.
    @Transactional
    @Query("""
        INSERT INTO series AS s (campaign_id, shard, starts_at, width_s, cells, passed, failed, busy_ms, samples, calls)
        SELECT c.campaign_id, :shard, to_timestamp(floor(extract(epoch FROM now()) / w.s) * w.s), w.s, 0, 0, 0, 0, 1,
               least(l.calls, c.max_concurrent)
        FROM (SELECT l ->> 'campaignId' AS campaign_id, sum((l ->> 'calling')::bigint) AS calls
              FROM worker w CROSS JOIN jsonb_array_elements(w.load) AS l
              WHERE worker_is_live(w.lease_until) AND l ->> 'campaignId' = ANY (:campaignIds) GROUP BY 1) l
        JOIN campaign c USING (campaign_id)\
        """ + SeriesWriter.WIDTH + """
        ORDER BY c.campaign_id
        ON CONFLICT (campaign_id, starts_at, width_s, shard) DO UPDATE SET
            samples = s.samples + excluded.samples, calls = s.calls + excluded.calls
        """)
    public abstract void countCalls(
            String shard, @TypeDef(type = DataType.STRING_ARRAY) Collection<String> campaignIds);
}
