package dev.assay.store.outage;

import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.limit.outage.Probe;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The right to probe a pool that is down, and what probes say. */
@Singleton
public class ProbeRepository {

    private static final String END = """
        DELETE FROM outage WHERE provider = ? AND account = ? AND models = ? AND worker_id IN ('', ?) AND key = ''\
        """;

    private static final String STATE = """
        SELECT reason, since, probes, next_probe, probe_worker, probe_cell, now() AS now,
               (SELECT count(*) FROM pool_sight s JOIN worker w ON w.worker_id = s.worker_id AND worker_is_live(w.lease_until)
                WHERE s.provider = o.provider AND s.account = o.account AND s.models = o.models
                  AND s.told_at > now() - interval '1 minute') > 1 AS has_other_askers
        FROM outage o WHERE provider = ? AND account = ? AND models = ? AND worker_id = ? AND key = ? FOR UPDATE\
        """;

    private static final String CHANGE = """
        UPDATE outage SET probes = ?, next_probe = ?, probe_worker = ?, probe_cell = ?, signal = coalesce(?, signal), asked_anew = ?
        WHERE provider = ? AND account = ? AND models = ? AND worker_id = ? AND key = ?\
        """;

    // One probe of a key at a time, once each of its pools was probed.
    private static final String PUT_OFF = """
        UPDATE outage SET next_probe = greatest(next_probe, ?), asked_anew = false WHERE provider = ? AND key = ? AND probes > 0\
        """;

    /** After this time a worker probes again although others could: they have no cells any more, or do not look. */
    private static final Duration LATE = Duration.ofSeconds(2);

    private final Sql sql;

    ProbeRepository(Sql sql) {
        this.sql = sql;
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
        return sql.first(STATE, Standing::read, Sql.row(OutageRepository.key(of.pool()), scope(of)));
    }

    /** The parameters that name the outages of a pool: the worker or all, the key or none. */
    private static @Nullable Object[] scope(StoredOutage outage) {
        return Sql.row(
                outage.workerId() == null ? OutageRepository.ALL : outage.workerId(),
                outage.ofKey() == null ? "" : outage.ofKey().id());
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
                        probe == null,
                        OutageRepository.key(of.pool()),
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
    public @Nullable String take(StoredOutage outage, String workerId, List<String> cells, boolean isOnlyCell) {
        Standing standing = standing(outage).orElse(null);
        if (standing == null) {
            return null;
        }
        boolean isLate = standing.now().isAfter(standing.outage().nextProbe().plus(LATE));
        boolean isAlone = outage.workerId() != null || !standing.hasOtherAskers() || isLate;
        for (String cell : cells) {
            Probe probe = new Probe(workerId, isAlone, cell, isOnlyCell);
            if (standing.outage().takes(probe, standing.now())) {
                Outage probed = standing.outage().probed(probe, standing.now());
                change(outage, probed, null);
                if (outage.ofKey() != null && probed.probes() > 0) {
                    sql.update(
                            PUT_OFF,
                            probed.nextProbe(),
                            outage.pool().provider(),
                            outage.ofKey().id());
                }
                return cell;
            }
        }
        return null;
    }

    /**
     * Records that a probe failed.
     *
     * @param retryAfter the wait that the answer asks for; null: none
     */
    @Transactional
    public void failed(StoredOutage outage, String signal, @Nullable Duration retryAfter) {
        standing(outage)
                .ifPresent(
                        standing -> change(outage, standing.outage().probeFailed(retryAfter, standing.now()), signal));
    }

    /** Gives the right to probe back: nothing was sent. */
    @Transactional
    public void unsent(StoredOutage outage) {
        standing(outage).ifPresent(standing -> change(outage, standing.outage().probedAnew(standing.now()), null));
    }

    /** Ends an outage: its probe was answered. */
    @Transactional
    public void succeeded(StoredOutage outage, String workerId) {
        sql.update(END, Sql.row(OutageRepository.key(outage.pool()), workerId));
    }
}
