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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits that live workers are configured with, those that people set, and those that answers have said. They are looked up once a
 * second.
 */
@Singleton
class LimitsInForce {

    /** Of a group that has no entry in the settings. */
    static final int DEFAULT_BURST_SECONDS = 2;

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

    // The accounts of keys, of no group.
    private static final String ACCOUNTS = """
        SELECT DISTINCT p ->> 'name' AS provider, k ->> 'account' AS account, '' AS models
        FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'keys') AS k
        WHERE worker_is_live(w.lease_until)\
        """;

    // Groups of which no live worker takes limits from answers. Where one does its limits hold for all.
    private static final String UNTAUGHT = """
        SELECT p ->> 'name' AS provider, l ->> 'models' AS models
        FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
        WHERE worker_is_live(w.lease_until)
        GROUP BY 1, 2 HAVING bool_and(coalesce(l ->> 'learn', 'true') = 'false')\
        """;

    private final Sql sql;
    private final LearnedRows learned;
    private volatile @Nullable Snapshot last;

    LimitsInForce(Sql sql, LearnedRows learned) {
        this.sql = sql;
        this.learned = learned;
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

        /** With what answers have said. */
        private PoolLimits taught(Map<LimitKind, Long> said) {
            Map<LimitKind, KnownLimit> all = new EnumMap<>(LimitKind.class);
            all.putAll(known);
            said.forEach((kind, limit) ->
                    all.merge(kind, new KnownLimit(null, null, limit), (other, _) -> other.withHeader(limit)));
            return new PoolLimits(all, known.isEmpty() ? DEFAULT_BURST_SECONDS : burstSeconds);
        }
    }

    /** @param readAt by the monotonic clock, before it was read */
    private record Snapshot(Map<ModelPool, PoolLimits> limits, long readAt) {

        private boolean isFresh() {
            return System.nanoTime() - readAt < KEPT.toNanos();
        }
    }

    private record Group(String provider, String models) {

        private static Group of(ResultSet row) throws SQLException {
            return new Group(row.getString("provider"), row.getString("models"));
        }
    }

    private Snapshot known() {
        Snapshot known = last;
        return known == null || !known.isFresh() ? renewed() : known;
    }

    /** What was learned in this transaction is to hold at once. */
    void lookAgain() {
        last = null;
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

    /** Limits that answers have said, of groups that learn. */
    private Map<ModelPool, Map<LimitKind, Long>> taught() {
        Map<ModelPool, Map<LimitKind, Long>> taught = learned.all();
        if (!taught.isEmpty()) {
            Set<Group> untaught = new HashSet<>(sql.list(UNTAUGHT, Group::of));
            taught.keySet().removeIf(pool -> untaught.contains(new Group(pool.provider(), pool.models())));
        }
        return taught;
    }

    /**
     * Lays what answers have said over the rest. Calls of a group wait for units of each account as soon as one has limits, and an
     * account without any would give none. So one of which nothing is known has the least of what others of its group were taught, until
     * its own answers say more.
     */
    private void teach(Map<ModelPool, PoolLimits> limits) {
        Map<ModelPool, Map<LimitKind, Long>> taught = taught();
        taught.forEach(
                (pool, said) -> limits.merge(pool, PoolLimits.NONE.taught(said), (known, _) -> known.taught(said)));
        if (taught.isEmpty()) {
            return;
        }
        Map<ModelPool, Map<LimitKind, Long>> untold = new HashMap<>();
        for (ModelPool account : sql.list(ACCOUNTS, LimitRows::pool)) {
            taught.forEach((pool, said) -> {
                ModelPool other = pool.ofAccount(account.account());
                if (pool.provider().equals(account.provider()) && !limits.containsKey(other)) {
                    Map<LimitKind, Long> least = untold.computeIfAbsent(other, _ -> new EnumMap<>(LimitKind.class));
                    said.forEach((kind, limit) -> least.merge(kind, limit, Math::min));
                }
            });
        }
        untold.forEach((pool, least) -> limits.put(pool, PoolLimits.NONE.taught(least)));
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
        teach(limits);
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
