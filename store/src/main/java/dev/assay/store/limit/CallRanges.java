package dev.assay.store.limit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;

/** How many calls of pools may be in flight, as live workers are configured. */
@Singleton
class CallRanges {

    /** Of a pool that no live worker knows any more. */
    private static final ConcurrencyRange UNKNOWN = ConcurrencyRange.upTo(1_000);

    // The least of each number among live workers. What has no group is bounded by its provider.
    private static final String RANGES = """
        SELECT name, min(least) AS least, min(start) AS start, min(most) AS most FROM (
            SELECT p ->> 'name' AS name, 1 AS least, (p ->> 'maxConcurrent')::integer AS start,
                   (p ->> 'maxConcurrent')::integer AS most
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p WHERE worker_is_live(w.lease_until)
            UNION ALL
            SELECT (p ->> 'name') || '/' || (l ->> 'models'), coalesce(l ->> 'concurrentMin', l ->> 'concurrent')::integer,
                   coalesce(l ->> 'concurrentStart', l ->> 'concurrent')::integer, (l ->> 'concurrent')::integer
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
            WHERE worker_is_live(w.lease_until) AND l ->> 'concurrent' IS NOT NULL
            UNION ALL
            SELECT 'http/' || lower(substring(a ->> 'url' FROM '^[^:]+://(\\[[^]]*\\]|[^/:?]+)')), 1,
                   coalesce((a ->> 'maxConcurrent')::integer, 1000), coalesce((a ->> 'maxConcurrent')::integer, 1000)
            FROM worker w CROSS JOIN jsonb_array_elements(w.tools -> 'addresses') AS a WHERE worker_is_live(w.lease_until)
        ) AS configured GROUP BY name\
        """;

    private final Sql sql;

    CallRanges(Sql sql) {
        this.sql = sql;
    }

    /** The ranges, as they stand. To be called in a transaction. */
    Known known() {
        Map<String, ConcurrencyRange> ranges = new TreeMap<>();
        sql.forEach(
                RANGES,
                row -> Map.entry(row.getString("name"), range(row)),
                range -> ranges.put(range.getKey(), range.getValue()));
        return new Known(ranges);
    }

    /** @param ranges by provider, or provider and group */
    record Known(Map<String, ConcurrencyRange> ranges) {

        ConcurrencyRange of(ModelPool pool) {
            ConcurrencyRange group = ranges.get(pool.provider() + "/" + pool.models());
            return group != null ? group : ranges.getOrDefault(pool.provider(), UNKNOWN);
        }
    }

    private static ConcurrencyRange range(ResultSet row) throws SQLException {
        return new ConcurrencyRange(row.getInt("least"), row.getInt("start"), row.getInt("most"));
    }
}
