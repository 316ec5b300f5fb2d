package dev.assay.store.outage;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.OutageFinding;
import dev.assay.domain.limit.outage.WorkerSight;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which pools are down, decided from what all live workers see. All times are of PostgreSQL's clock. */
@Singleton
public class OutageRepository {

    /** The worker of an outage that concerns all. */
    static final String ALL = "";

    // Decisions about one pool come one after the other. In one order for all, so that two workers never wait for each
    // other.
    private static final String LOCK = """
        SELECT pg_advisory_xact_lock(pool) FROM (
            SELECT DISTINCT hashtextextended('outage/' || key, 0) AS pool FROM unnest(?::text[]) AS key ORDER BY 1) AS pools\
        """;

    private static final String SEE = """
        INSERT INTO pool_sight (provider, account, models, worker_id, run_since, answered_at, signal_at, in_flight_since, told_at)
        SELECT ?, ?, ?, ?, now() - ? * interval '1 millisecond', now() - ? * interval '1 millisecond',
               now() - ? * interval '1 millisecond', now() - ? * interval '1 millisecond', now()
        ON CONFLICT (provider, account, models, worker_id) DO UPDATE
        SET run_since = excluded.run_since, answered_at = excluded.answered_at, signal_at = excluded.signal_at,
            in_flight_since = excluded.in_flight_since, told_at = excluded.told_at\
        """;

    private static final String SIGHTS =
            """
            SELECT s.worker_id, %s, %s, %s, %s
            FROM pool_sight s JOIN worker w ON w.worker_id = s.worker_id AND worker_is_live(w.lease_until)
            WHERE s.provider = ? AND s.account = ? AND s.models = ?\
            """.formatted(ago("s.run_since"), ago("s.answered_at"), ago("s.signal_at"), ago("s.in_flight_since"));

    // Rows of workers that have long ended.
    private static final String FORGET = "DELETE FROM pool_sight WHERE told_at < now() - interval '1 hour'";
    private static final String FORGET_ALONE = """
        DELETE FROM outage o WHERE o.worker_id <> '' AND NOT EXISTS (
            SELECT 1 FROM worker w WHERE w.worker_id = o.worker_id AND worker_is_live(w.lease_until))\
        """;

    // A pool of a refused key that was not asked when it was refused.
    private static final String ADD = """
        INSERT INTO outage (provider, account, models, worker_id, key, reason, since, signal, probes, next_probe)
        SELECT p.provider, p.account, p.models, '', p.key, r.reason, r.since, r.signal, 0, now()
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS p (provider, account, models, key)
        CROSS JOIN LATERAL (SELECT * FROM outage o WHERE o.provider = p.provider AND o.key = p.key ORDER BY o.since, o.models LIMIT 1) AS r
        WHERE p.key <> '' AND NOT EXISTS (
            SELECT FROM outage o WHERE o.provider = p.provider AND o.account = p.account AND o.models = p.models AND o.key = p.key)
        ON CONFLICT DO NOTHING\
        """;

    private static final String COLUMNS = """
        o.provider, o.account, o.models, worker_id, o.key, reason, since, %s AS age_ms, signal,
        (extract(epoch FROM greatest(next_probe - now(), interval '0')) * 1000)::bigint AS probe_ms,
        (SELECT count(*) FROM worker w WHERE worker_is_live(w.lease_until)) > 1 AS has_other_workers,
        o.key <> '' AND provider_has_key(o.provider, ?::text) AS has_other_key,
        o.reason = 'QUOTA' OR o.probes = 0 OR o.asked_anew AS is_probed_beside,
        NOT EXISTS (SELECT FROM outage r WHERE r.provider = o.provider AND r.key = o.key AND r.probes = 0) AS is_probed\
        """.formatted(ago("since"));

    private static final String OUTAGES = """
        SELECT DISTINCT %s FROM unnest(?::text[], ?::text[], ?::text[], ?::text[]) AS p (provider, account, models, key)
        JOIN outage o ON o.provider = p.provider AND o.account = p.account AND o.models = p.models AND o.key IN ('', p.key)
        WHERE o.worker_id IN ('', ?)\
        """.formatted(COLUMNS);

    private static final String BEGIN = """
        INSERT INTO outage (provider, account, models, worker_id, reason, since, signal, probes, next_probe)
        VALUES (?, ?, ?, ?, 'DOWN', now(), ?, 0, now() + ? * interval '1 millisecond')
        ON CONFLICT (provider, account, models, worker_id, key) DO NOTHING\
        """;

    private static final String END_ALONE =
            "DELETE FROM outage WHERE provider = ? AND account = ? AND models = ? AND worker_id <> '' AND key = ''";

    private final Sql sql;

    OutageRepository(Sql sql) {
        this.sql = sql;
    }

    private static String ago(String time) {
        return "(extract(epoch FROM now() - %s) * 1000)::bigint".formatted(time);
    }

    /**
     * Records what a worker sees, decides which of its pools are down, and answers with those that are, for it or for all.
     */
    @Transactional
    public List<StoredOutage> exchange(String workerId, List<SeenPool> pools) {
        List<SeenPool> news =
                pools.stream().filter(seen -> seen.sight() != null).toList();
        List<SeenPool> alarms = news.stream().filter(OutageRepository::isAlarm).toList();
        if (!alarms.isEmpty()) {
            lock(alarms.stream().map(SeenPool::pool).toList());
            sql.update(FORGET);
            sql.update(FORGET_ALONE);
        }
        sql.batch(SEE, news, seen -> columns(workerId, seen));
        alarms.forEach(seen -> decide(workerId, seen));
        if (pools.stream().anyMatch(seen -> !seen.keys().isEmpty())) {
            sql.update(ADD, asked(pools));
        }
        return sql.list(OUTAGES, OutageRepository::read, Sql.row(workerId, asked(pools), workerId));
    }

    /** A pool, and the id of a key with which it is asked; empty: without one. */
    private record Asked(ModelPool pool, String key) {

        private static Stream<Asked> of(SeenPool seen) {
            return seen.keys().isEmpty()
                    ? Stream.of(new Asked(seen.pool(), ""))
                    : seen.keys().stream().map(key -> new Asked(seen.pool(), key.id()));
        }
    }

    /** The parameters that name pools, each once for each key with which it is asked. */
    private static @Nullable Object[] asked(List<SeenPool> pools) {
        List<Asked> asked = pools.stream().flatMap(Asked::of).toList();
        return Sql.row(
                asked.stream().map(one -> one.pool().provider()).toList(),
                asked.stream().map(one -> one.pool().account()).toList(),
                asked.stream().map(one -> one.pool().models()).toList(),
                asked.stream().map(Asked::key).toList());
    }

    private static boolean isAlarm(SeenPool seen) {
        return seen.sight() != null && seen.sight().runFor() != null;
    }

    private void lock(List<ModelPool> pools) {
        sql.exists(LOCK, new TreeSet<>(pools.stream().map(ModelPool::toString).toList()));
    }

    private static @Nullable Object[] columns(String workerId, SeenPool seen) {
        WorkerSight sight = requireNonNull(seen.sight());
        return Sql.row(
                key(seen.pool()),
                workerId,
                millis(sight.runFor()),
                millis(sight.sinceAnswer()),
                millis(sight.sinceSignal()),
                millis(sight.inFlightFor()));
    }

    /** The parameters that name a pool. */
    static @Nullable Object[] key(ModelPool pool) {
        return Sql.row(pool.provider(), pool.account(), pool.models());
    }

    private static @Nullable Long millis(@Nullable Duration time) {
        return time == null ? null : (Long) time.toMillis();
    }

    private void decide(String workerId, SeenPool seen) {
        OutageFinding finding = OutageFinding.of(sql.list(SIGHTS, OutageRepository::sight, key(seen.pool())));
        if (finding.isDown()) {
            sql.update(END_ALONE, key(seen.pool()));
            begin(seen, ALL);
        } else if (finding.cutOff().contains(workerId)) {
            begin(seen, workerId);
        }
    }

    private void begin(SeenPool seen, String workerId) {
        long wait = Duration.between(
                        Instant.EPOCH,
                        Outage.begun(Outage.Reason.DOWN, Instant.EPOCH).nextProbe())
                .toMillis();
        sql.update(BEGIN, Sql.row(key(seen.pool()), workerId, seen.words(), wait));
    }

    private static WorkerSight sight(ResultSet row) throws SQLException {
        return new WorkerSight(
                row.getString(1), duration(row, 2), duration(row, 3), duration(row, 4), duration(row, 5));
    }

    private static @Nullable Duration duration(ResultSet row, int column) throws SQLException {
        long millis = row.getLong(column);
        return row.wasNull() ? null : Duration.ofMillis(Math.max(0, millis));
    }

    private static StoredOutage read(ResultSet row) throws SQLException {
        String worker = row.getString("worker_id");
        return new StoredOutage(
                new ModelPool(row.getString("provider"), row.getString("account"), row.getString("models")),
                worker.equals(ALL) ? null : worker,
                Outage.Reason.valueOf(row.getString("reason")),
                row.getTimestamp("since").toInstant(),
                Duration.ofMillis(row.getLong("age_ms")),
                row.getString("signal"),
                Duration.ofMillis(row.getLong("probe_ms")),
                row.getBoolean("has_other_workers"),
                ofKey(row));
    }

    private static StoredOutage.@Nullable OfKey ofKey(ResultSet row) throws SQLException {
        String key = row.getString("key");
        return key.isEmpty()
                ? null
                : new StoredOutage.OfKey(
                        key,
                        row.getBoolean("has_other_key"),
                        row.getBoolean("is_probed"),
                        row.getBoolean("is_probed_beside"));
    }
}
