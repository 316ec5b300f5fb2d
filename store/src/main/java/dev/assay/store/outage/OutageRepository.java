package dev.assay.store.outage;

import static java.util.Objects.requireNonNull;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.OutageFinding;
import dev.assay.domain.limit.outage.Probe;
import dev.assay.domain.limit.outage.WorkerSight;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which pools are down, decided from what all live workers see. All times are of PostgreSQL's clock. */
@Singleton
public class OutageRepository {

    /** The worker of an outage that concerns all. */
    private static final String ALL = "";

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

    private static final String COLUMNS = """
        provider, account, models, worker_id, reason, since, %s AS age_ms, signal,
        (extract(epoch FROM greatest(next_probe - now(), interval '0')) * 1000)::bigint AS probe_ms,
        (SELECT count(*) FROM worker w WHERE worker_is_live(w.lease_until)) > 1 AS has_other_workers\
        """.formatted(ago("since"));

    private static final String OUTAGES = """
        SELECT %s FROM outage o WHERE o.worker_id IN ('', ?) AND (provider, account, models) IN (
            SELECT * FROM unnest(?::text[], ?::text[], ?::text[]))\
        """.formatted(COLUMNS);

    private static final String BEGIN = """
        INSERT INTO outage (provider, account, models, worker_id, reason, since, signal, probes, next_probe)
        VALUES (?, ?, ?, ?, 'DOWN', now(), ?, 0, now() + ? * interval '1 millisecond')
        ON CONFLICT (provider, account, models, worker_id) DO NOTHING\
        """;

    private static final String END_ALONE =
            "DELETE FROM outage WHERE provider = ? AND account = ? AND models = ? AND worker_id <> ''";

    private static final String END = """
        DELETE FROM outage WHERE provider = ? AND account = ? AND models = ? AND worker_id IN ('', ?)\
        """;

    private static final String STATE = """
        SELECT reason, since, probes, next_probe, probe_worker, probe_cell, now() AS now,
               (SELECT count(*) FROM pool_sight s JOIN worker w ON w.worker_id = s.worker_id AND worker_is_live(w.lease_until)
                WHERE s.provider = o.provider AND s.account = o.account AND s.models = o.models
                  AND s.told_at > now() - interval '1 minute') > 1 AS has_other_askers
        FROM outage o WHERE provider = ? AND account = ? AND models = ? AND worker_id = ? FOR UPDATE\
        """;

    private static final String CHANGE = """
        UPDATE outage SET probes = ?, next_probe = ?, probe_worker = ?, probe_cell = ?, signal = coalesce(?, signal)
        WHERE provider = ? AND account = ? AND models = ? AND worker_id = ?\
        """;

    /** After this time a worker probes again although others could: they have no cells any more, or do not look. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final Sql sql;

    OutageRepository(Sql sql) {
        this.sql = sql;
    }

    private static String ago(String time) {
        return "(extract(epoch FROM now() - %s) * 1000)::bigint".formatted(time);
    }

    /**
     * Records what a worker sees, decides which of its pools are down, and answers with those that are, for it or for all.
     *
     * @param pools all that it asks
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
        return sql.list(
                OUTAGES,
                OutageRepository::read,
                workerId,
                pools.stream().map(seen -> seen.pool().provider()).toList(),
                pools.stream().map(seen -> seen.pool().account()).toList(),
                pools.stream().map(seen -> seen.pool().models()).toList());
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

    private static @Nullable Object[] key(ModelPool pool) {
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
                row.getBoolean("has_other_workers"));
    }

    /**
     * An outage as it is decided about, at a time.
     *
     * @param hasOtherAskers whether other workers asked the pool of late
     */
    private record Standing(Outage outage, Instant now, boolean hasOtherAskers) {

        static Standing read(ResultSet row) throws SQLException {
            String worker = row.getString("probe_worker");
            return new Standing(
                    new Outage(
                            Outage.Reason.valueOf(row.getString("reason")),
                            row.getTimestamp("since").toInstant(),
                            row.getInt("probes"),
                            row.getTimestamp("next_probe").toInstant(),
                            worker == null ? null : new Probe(worker, true, row.getString("probe_cell"), true)),
                    row.getTimestamp("now").toInstant(),
                    row.getBoolean("has_other_askers"));
        }
    }

    private Optional<Standing> standing(StoredOutage of) {
        return sql.first(STATE, Standing::read, Sql.row(key(of.pool()), scope(of)));
    }

    private static String scope(StoredOutage outage) {
        return outage.workerId() == null ? ALL : outage.workerId();
    }

    private void change(StoredOutage of, Outage outage, @Nullable String signal) {
        Probe probe = outage.lastProbe();
        sql.update(
                CHANGE,
                Sql.row(
                        outage.probes(),
                        outage.nextProbe(),
                        probe == null ? null : probe.workerId(),
                        probe == null ? null : probe.cell(),
                        signal,
                        key(of.pool()),
                        scope(of)));
    }

    /**
     * Takes the right to probe a pool that is down. Of several workers, at most one gets it.
     *
     * @param cells of this worker, the call of one of which will probe
     * @param isOnlyCell whether no other cell of this worker waits for the pool
     * @return which of them probes; null: none may now
     */
    @Transactional
    public @Nullable String takeProbe(StoredOutage outage, String workerId, List<String> cells, boolean isOnlyCell) {
        Standing standing = standing(outage).orElse(null);
        if (standing == null) {
            return null;
        }
        boolean isLate = standing.now().isAfter(standing.outage().nextProbe().plus(LATE));
        boolean isAlone = outage.workerId() != null || !standing.hasOtherAskers() || isLate;
        for (String cell : cells) {
            Probe probe = new Probe(workerId, isAlone, cell, isOnlyCell);
            if (standing.outage().takes(probe, standing.now())) {
                change(outage, standing.outage().probed(probe, standing.now()), null);
                return cell;
            }
        }
        return null;
    }

    /**
     * Records that a probe failed.
     *
     * @param signal what it said
     * @param retryAfter the wait that the answer asks for; null: none
     */
    @Transactional
    public void probeFailed(StoredOutage outage, String signal, @Nullable Duration retryAfter) {
        standing(outage)
                .ifPresent(
                        standing -> change(outage, standing.outage().probeFailed(retryAfter, standing.now()), signal));
    }

    /** Gives the right to probe back: nothing was sent. */
    @Transactional
    public void probeUnsent(StoredOutage outage) {
        standing(outage).ifPresent(standing -> change(outage, standing.outage().probedAnew(standing.now()), null));
    }

    /** Ends an outage: its probe was answered. */
    @Transactional
    public void end(StoredOutage outage, String workerId) {
        sql.update(END, Sql.row(key(outage.pool()), workerId));
    }
}
