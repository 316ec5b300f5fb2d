package dev.assay.store.limit;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.CallBounds;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How many calls of groups may be in flight, as people set it or as live workers are configured. */
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

    private static final String MANUAL = "SELECT provider, models, least, most FROM manual_calls";

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
        return new Known(
                ranges,
                sql.byKey(
                        MANUAL,
                        row -> group(row.getString("provider"), row.getString("models")),
                        row -> new CallBounds(row.getInt("least"), row.getInt("most"))));
    }

    private static String group(String provider, String models) {
        return "models/" + provider + "/" + models;
    }

    /**
     * The ranges.
     *
     * @param configured by {@code provider/NAME}, or {@code models/PROVIDER/PATTERN}
     * @param manual what people set, by {@code models/PROVIDER/PATTERN}
     */
    record Known(Map<String, ConcurrencyRange> configured, Map<String, CallBounds> manual) {

        /** That of the group of a pool. */
        ConcurrencyRange of(ModelPool pool) {
            CallBounds set = manual(pool);
            ConcurrencyRange group = configured.get(group(pool.provider(), pool.models()));
            ConcurrencyRange range =
                    group != null ? group : configured.getOrDefault("provider/" + pool.provider(), UNKNOWN);
            return set == null ? range : set.of(range);
        }

        /** What a person set for the group of a pool; null: nobody did. */
        @Nullable
        CallBounds manual(ModelPool pool) {
            return manual.get(group(pool.provider(), pool.models()));
        }
    }

    private static ConcurrencyRange range(ResultSet row) throws SQLException {
        return new ConcurrencyRange(row.getInt("least"), row.getInt("start"), row.getInt("most"));
    }
}
