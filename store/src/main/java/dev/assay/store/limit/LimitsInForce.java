package dev.assay.store.limit;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits that live workers are configured with, and those that people set. They are looked up once a second. */
@Singleton
class LimitsInForce {

    private static final Duration KEPT = Duration.ofSeconds(1);

    // The least of each number among live workers. An earlier build has none.
    static final String CONFIGURED = """
        SELECT provider, 'default' AS account, models, name, min(units) AS units, min(burst) AS burst FROM (
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
        ) AS configured GROUP BY provider, models, name\
        """;

    private static final String ACCOUNTS = """
        SELECT DISTINCT p ->> 'name' AS provider, coalesce(k ->> 'account', ?::text) AS account
        FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p LEFT JOIN jsonb_array_elements(p -> 'keys') AS k ON true
        WHERE worker_is_live(w.lease_until) ORDER BY 1, 2\
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

    /** @param readAt by the monotonic clock */
    private record Snapshot(Map<Group, PoolLimits> limits, Map<String, List<String>> accounts, long readAt) {

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
        Snapshot known = known();
        return known.limits().keySet().stream()
                .flatMap(group ->
                        known.accounts().getOrDefault(group.provider(), List.of(ModelPool.DEFAULT_ACCOUNT)).stream()
                                .map(account -> new ModelPool(group.provider(), account, group.models())))
                .toList();
    }

    /** The limits of a pool, which hold for each account; none where no live worker has some. To be called in a transaction. */
    PoolLimits of(ModelPool pool) {
        return known().limits().getOrDefault(pool, PoolLimits.NONE);
    }

    private Snapshot read() {
        long readAt = System.nanoTime();
        Map<ModelPool, PoolLimits> limits = new HashMap<>();
        sql.forEach(
                LIMITS,
                row -> Map.entry(pool(row), limit(row)),
                limit -> limits.compute(limit.getKey(), (_, others) -> {
                    PoolLimits before = others == null ? PoolLimits.NONE : others;
                    Limit one = limit.getValue();
                    // A later build may know more limits. It keeps those itself.
                    return one.kind() == null ? before : before.and(one.kind(), one.known(), one.burst());
                }));
        Map<String, List<String>> accounts = new HashMap<>();
        sql.forEach(
                ACCOUNTS,
                row -> Map.entry(row.getString(1), row.getString(2)),
                one -> accounts.computeIfAbsent(one.getKey(), _ -> new ArrayList<>())
                        .add(one.getValue()),
                ModelPool.DEFAULT_ACCOUNT);
        return new Snapshot(limits, accounts, readAt);
    }

    /** @param kind null: it is not known here */
    private record Limit(@Nullable LimitKind kind, KnownLimit known, int burst) {}

    private static ModelPool pool(ResultSet row) throws SQLException {
        return new ModelPool(row.getString("provider"), row.getString("account"), row.getString("models"));
    }

    private static Limit limit(ResultSet row) throws SQLException {
        return new Limit(
                LimitKind.byWord().get(row.getString("name")),
                new KnownLimit(row.getObject("configured", Long.class), row.getObject("manual", Long.class), null),
                row.getInt("burst"));
    }
}
