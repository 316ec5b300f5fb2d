package dev.assay.store.limit;

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

/** The limits that live workers are configured with. They are looked up once a second. */
@Singleton
class LimitsInForce {

    private static final Duration KEPT = Duration.ofSeconds(1);

    // The least of each number among live workers. An earlier build has none.
    private static final String LIMITS = """
        SELECT provider, models, name, min(units) AS units, min(burst) AS burst FROM (
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
    record PoolLimits(Map<LimitKind, Long> units, int burstSeconds) {

        static final PoolLimits NONE = new PoolLimits(Map.of(), 1);

        PoolLimits {
            units = Map.copyOf(units);
        }

        private PoolLimits and(LimitKind kind, long limit, int burst) {
            Map<LimitKind, Long> more = new EnumMap<>(LimitKind.class);
            more.putAll(units);
            more.put(kind, limit);
            return new PoolLimits(more, units.isEmpty() ? burst : Math.min(burst, burstSeconds));
        }
    }

    /** @param readAt by the monotonic clock */
    private record Snapshot(Map<Group, PoolLimits> limits, long readAt) {

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
        if (known == null || !known.isFresh()) {
            known = read();
            last = known;
        }
        return known;
    }

    /** The pools that have limits. To be called in a transaction. */
    List<ModelPool> pools() {
        return known().limits().keySet().stream()
                .map(group -> new ModelPool(group.provider(), ModelPool.DEFAULT_ACCOUNT, group.models()))
                .toList();
    }

    /** The limits of a pool; none where no live worker has some. To be called in a transaction. */
    PoolLimits of(ModelPool pool) {
        return known().limits().getOrDefault(new Group(pool.provider(), pool.models()), PoolLimits.NONE);
    }

    private Snapshot read() {
        long readAt = System.nanoTime();
        Map<Group, PoolLimits> limits = new HashMap<>();
        sql.forEach(
                LIMITS,
                row -> Map.entry(Group.of(row), limit(row)),
                limit -> limits.compute(limit.getKey(), (_, others) -> {
                    PoolLimits before = others == null ? PoolLimits.NONE : others;
                    Limit one = limit.getValue();
                    // A later build may know more limits. It keeps those itself.
                    return one.kind() == null ? before : before.and(one.kind(), one.units(), one.burst());
                }));
        return new Snapshot(limits, readAt);
    }

    /** @param kind null: it is not known here */
    private record Limit(@Nullable LimitKind kind, long units, int burst) {}

    private static Limit limit(ResultSet row) throws SQLException {
        return new Limit(LimitKind.byWord().get(row.getString("name")), row.getLong("units"), row.getInt("burst"));
    }
}
