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
        SELECT c.key AS pool, min((c.value ->> 0)::integer) AS least, min((c.value ->> 1)::integer) AS start,
               min((c.value ->> 2)::integer) AS most
        FROM worker w CROSS JOIN jsonb_each(w.calls) AS c WHERE worker_is_live(w.lease_until) GROUP BY c.key\
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
                row -> Map.entry(row.getString("pool"), range(row)),
                range -> ranges.put(range.getKey(), range.getValue()));
        return new Known(ranges);
    }

    /** @param ranges by {@code provider/NAME}, or {@code models/PROVIDER/PATTERN} */
    record Known(Map<String, ConcurrencyRange> ranges) {

        ConcurrencyRange of(ModelPool pool) {
            ConcurrencyRange group = ranges.get("models/" + pool.provider() + "/" + pool.models());
            return group != null ? group : ranges.getOrDefault("provider/" + pool.provider(), UNKNOWN);
        }
    }

    private static ConcurrencyRange range(ResultSet row) throws SQLException {
        return new ConcurrencyRange(row.getInt("least"), row.getInt("start"), row.getInt("most"));
    }
}
