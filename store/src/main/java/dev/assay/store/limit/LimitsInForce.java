package dev.assay.store.limit;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits that live workers are configured with, and those that people set. They are looked up once a second. */
@Singleton
class LimitsInForce {

    private static final Duration KEPT = Duration.ofSeconds(1);

    // The least of each number among live workers, for each account of keys. An earlier build has none.
    static final String CONFIGURED = """
        SELECT provider, coalesce(account, 'default') AS account, models, name, min(units) AS units, min(burst) AS burst FROM (
            SELECT p ->> 'name' AS provider, l ->> 'models' AS models, u.key AS name, u.value::bigint AS units,
                   (l ->> 'burstSeconds')::integer AS burst
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
            CROSS JOIN jsonb_array_elements(p -> 'limits') AS l CROSS JOIN jsonb_each_text(l -> 'units') AS u
            WHERE worker_is_live(w.lease_until)
            UNION ALL
            SELECT 'http/' || lower(substring(a ->> 'url' FROM '^[^:]+://(\\[[^]]*\\]|[^/:?]+)')), '*', u.name, u.units, 2
            FROM worker w CROSS JOIN jsonb_array_elements(w.tools -> 'addresses') AS a
            CROSS JOIN LATERAL (VALUES ('requestsPerMinute', (a ->> 'requestsPerMinute')::bigint),
                                       ('requestsPerDay', (a ->> 'requestsPerDay')::bigint)) AS u (name, units)
            WHERE worker_is_live(w.lease_until) AND u.units IS NOT NULL
        ) AS configured LEFT JOIN (
            SELECT DISTINCT p ->> 'name' AS provider, k ->> 'account' AS account
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'keys') AS k
            WHERE worker_is_live(w.lease_until)
        ) AS key USING (provider)
        GROUP BY provider, coalesce(account, 'default'), models, name\
        """;

    private static final String LIMITS = "WITH known AS (" + CONFIGURED + """
        )
        SELECT provider, account, models, name, k.units AS configured, m.units AS manual,
               coalesce(k.burst, min(k.burst) OVER (PARTITION BY provider, account, models), 2) AS burst
        FROM known k FULL JOIN manual_limit m USING (provider, account, models, name)\
        """;

    private final Sql sql;
    private volatile @Nullable Snapshot last;

    LimitsInForce(Sql sql) {
        this.sql = sql;
    }

    /**
     * The limits of a pool.
     *
     * @param burstSeconds so many seconds' worth may go at once after a pause
     */
    record PoolLimits(Map<LimitKind, KnownLimit> known, int burstSeconds) {

        static final PoolLimits NONE = new PoolLimits(Map.of(), 1);

        PoolLimits {
            known = Map.copyOf(known);
        }

        /** Units a period of those in force. */
        Map<LimitKind, Long> units() {
            Map<LimitKind, Long> units = new EnumMap<>(LimitKind.class);
            known.forEach((kind, limit) -> units.put(kind, limit.inForce().limit()));
            return units;
        }

        private PoolLimits and(LimitKind kind, KnownLimit limit, int burst) {
            Map<LimitKind, KnownLimit> more = new EnumMap<>(LimitKind.class);
            more.putAll(known);
            more.put(kind, limit);
            return new PoolLimits(more, known.isEmpty() ? burst : Math.min(burst, burstSeconds));
        }
    }

    /** @param readAt by the monotonic clock, before it was read */
    private record Snapshot(Map<ModelPool, PoolLimits> limits, long readAt) {

        private boolean isFresh() {
            return System.nanoTime() - readAt < KEPT.toNanos();
        }
    }

    private Snapshot known() {
        Snapshot known = last;
        return known == null || !known.isFresh() ? renewed() : known;
    }

    /** Looks the limits up anew. To be called in a transaction, when some were changed and that is committed. */
    void renew() {
        renewed();
    }

    private Snapshot renewed() {
        Snapshot read = read();
        synchronized (this) {
            Snapshot other = last;
            // Another thread may have begun earlier and be done later.
            if (other == null || other.readAt - read.readAt < 0) {
                last = read;
            }
        }
        return read;
    }

    /** The pools that have limits. To be called in a transaction. */
    List<ModelPool> pools() {
        return List.copyOf(known().limits().keySet());
    }

    /** The limits of a pool; none where nothing is known. To be called in a transaction. */
    PoolLimits of(ModelPool pool) {
        return known().limits().getOrDefault(pool, PoolLimits.NONE);
    }

    private Snapshot read() {
        long readAt = System.nanoTime();
        Map<ModelPool, PoolLimits> limits = new HashMap<>();
        sql.forEach(
                LIMITS,
                row -> Map.entry(LimitRows.pool(row), limit(row)),
                limit -> limits.compute(limit.getKey(), (_, others) -> {
                    PoolLimits before = others == null ? PoolLimits.NONE : others;
                    Limit one = limit.getValue();
                    // A later build may know more limits. It keeps those itself.
                    return one.kind() == null ? before : before.and(one.kind(), one.known(), one.burst());
                }));
        return new Snapshot(limits, readAt);
    }

    /** @param kind null: it is not known here */
    private record Limit(@Nullable LimitKind kind, KnownLimit known, int burst) {}

    private static Limit limit(ResultSet row) throws SQLException {
        return new Limit(
                LimitKind.byWord().get(row.getString("name")),
                new KnownLimit(row.getObject("configured", Long.class), row.getObject("manual", Long.class), null),
                row.getInt("burst"));
    }
}
