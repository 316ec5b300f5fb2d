package dev.assay.store.series;

import dev.assay.store.sql.QueryRepository;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.transaction.annotation.ReadOnly;
import java.util.List;

/** The speed of campaigns over time. */
@JdbcRepository(dialect = Dialect.POSTGRES)
public abstract class SeriesRepository implements QueryRepository {

    /** The spans of a campaign in which cells were finished, oldest first, all of one length, at most 300. */
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
            sum(o.busy_ms) / (w.s * 1000.0) AS in_flight, sum(o.cost_usd) AS cost_usd
        FROM own o, width w GROUP BY 1, 2 ORDER BY 1
        """)
    public abstract List<SeriesBucket> find(String campaignId);
}
