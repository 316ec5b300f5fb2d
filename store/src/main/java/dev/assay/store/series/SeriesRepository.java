package dev.assay.store.series;

import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.util.List;

/** Reads how fast campaigns went. */
@Singleton
public class SeriesRepository {

    private static final int MOST = 300;

    // All spans become as long as the longest, and longer where there are too many: a campaign that goes on after
    // weeks.
    private static final String BUCKETS = """
        WITH own AS (SELECT * FROM series WHERE campaign_id = ?),
        width AS (
            SELECT greatest(max(width_s), power(2, ceil(log(2, greatest(1,
                extract(epoch FROM max(starts_at) - min(starts_at)) / (? - 1)))))::integer) AS s FROM own)
        SELECT to_timestamp(floor(extract(epoch FROM o.starts_at) / w.s) * w.s) AS bucket, w.s AS seconds,
            sum(o.cells) AS cells, sum(o.passed) AS passed, sum(o.failed) AS failed,
            sum(o.busy_ms) / (w.s * 1000.0) AS in_flight, sum(o.cost_usd) AS cost_usd
        FROM own o, width w GROUP BY 1, 2 ORDER BY 1\
        """;

    private final Sql sql;

    SeriesRepository(Sql sql) {
        this.sql = sql;
    }

    /** The spans of a campaign in which cells were finished, oldest first, all of one length, at most 300. */
    @ReadOnly
    public List<SeriesBucket> find(String campaignId) {
        return sql.list(
                BUCKETS,
                row -> new SeriesBucket(
                        Columns.instant(row, "bucket"),
                        row.getInt("seconds"),
                        row.getLong("cells"),
                        row.getLong("passed"),
                        row.getLong("failed"),
                        row.getDouble("in_flight"),
                        row.getBigDecimal("cost_usd")),
                campaignId,
                MOST);
    }
}
