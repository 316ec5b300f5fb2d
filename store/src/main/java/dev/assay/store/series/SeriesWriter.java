package dev.assay.store.series;

import dev.assay.store.sql.Sql;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts the cells that one transaction finishes into the span of time in which it does. */
public final class SeriesWriter {

    /** Of a campaign {@code c}: the smallest power of two, in seconds, of which 150 cover its age. */
    static final String WIDTH = """

        CROSS JOIN LATERAL (
            SELECT power(2, greatest(0, ceil(log(2, greatest(1,
                extract(epoch FROM now() - coalesce(c.started_at, c.created_at)) / 150)))))::integer AS s) w
        """;

    private static final String ADD = """
        INSERT INTO series AS s (campaign_id, shard, starts_at, width_s, cells, passed, failed, busy_ms, cost_usd)
        SELECT c.campaign_id, ?, to_timestamp(floor(extract(epoch FROM now()) / w.s) * w.s), w.s, ?, ?, ?, ?, ?
        FROM campaign c\
        """ + WIDTH + """
        WHERE c.campaign_id = ?
        ON CONFLICT (campaign_id, starts_at, width_s, shard) DO UPDATE SET
            cells = s.cells + excluded.cells, passed = s.passed + excluded.passed, failed = s.failed + excluded.failed,
            busy_ms = s.busy_ms + excluded.busy_ms,
            cost_usd = CASE WHEN excluded.cost_usd IS NULL THEN s.cost_usd
                            ELSE coalesce(s.cost_usd, 0) + excluded.cost_usd END\
        """;

    private record Row(String campaignId, String shard) {}

    private static final class Counters {
        private long cells;
        private long passed;
        private long failed;
        private long busyMs;
        private @Nullable BigDecimal costUsd;
    }

    // One order for all transactions, so that no two of them wait for each other's rows.
    private final Map<Row, Counters> rows =
            new TreeMap<>(java.util.Comparator.comparing(Row::campaignId).thenComparing(Row::shard));

    /** Counts a cell that is done. */
    public void cellDone(
            String campaignId,
            String shard,
            boolean passed,
            boolean failed,
            Duration latency,
            @Nullable BigDecimal costUsd) {
        Counters counters = rows.computeIfAbsent(new Row(campaignId, shard), _ -> new Counters());
        counters.cells++;
        counters.passed += passed ? 1 : 0;
        counters.failed += failed ? 1 : 0;
        counters.busyMs += Math.max(0, latency.toMillis());
        if (costUsd != null) {
            counters.costUsd = counters.costUsd == null ? costUsd : counters.costUsd.add(costUsd);
        }
    }

    /** Adds the counters to the rows. */
    public void write(Sql sql) {
        sql.batch(ADD, List.copyOf(rows.entrySet()), entry -> {
            Counters counters = entry.getValue();
            return Sql.row(
                    entry.getKey().shard(),
                    counters.cells,
                    counters.passed,
                    counters.failed,
                    counters.busyMs,
                    counters.costUsd,
                    entry.getKey().campaignId());
        });
    }
}
