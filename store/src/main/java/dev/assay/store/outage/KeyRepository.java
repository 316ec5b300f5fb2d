package dev.assay.store.outage;

import dev.assay.domain.limit.KeyMark;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.outage.KeyEvidence;
import dev.assay.domain.limit.outage.Outage;
import dev.assay.domain.provider.KeyState.Use;
import dev.assay.store.outage.KeyDecisions.KeyName;
import dev.assay.store.outage.SeenKey.Refused;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys that workers have, and which of them are refused. The pools of a refused key are outages that name it. */
@Singleton
public class KeyRepository {

    private static final String LOCK =
            "SELECT pg_advisory_xact_lock(hashtextextended('key/' || ?::text || '/' || ?::text, 0))";

    private static final String USE = """
        INSERT INTO key_use (provider, key_name, worker_id, fingerprint, taken_at, told_at)
        SELECT ?, ?, ?, ?, now() - ?::bigint * interval '1 millisecond', now()
        ON CONFLICT (provider, key_name, worker_id) DO UPDATE
        SET fingerprint = excluded.fingerprint, told_at = excluded.told_at,
            taken_at = CASE WHEN key_use.fingerprint = excluded.fingerprint
                THEN greatest(key_use.taken_at, excluded.taken_at) ELSE excluded.taken_at END\
        """;

    private static final String TAKEN = """
        SELECT (extract(epoch FROM now() - max(taken_at)) * 1000)::bigint FROM key_use
        WHERE provider = ? AND key_name = ? AND fingerprint = ? HAVING max(taken_at) IS NOT NULL\
        """;

    // A pool that refused the key counts as probed. The others are probed at once. Refusals of requests that were sent
    // before somebody enabled the key put no probe off.
    private static final String REFUSE = """
        INSERT INTO outage AS o (provider, account, models, worker_id, key, reason, since, signal, probes, next_probe, refused_at)
        SELECT ?, ?, ?, '', ?, ?, coalesce((SELECT min(since) FROM outage WHERE provider = ? AND key = ?), now()), ?, 1,
            now() + ?::bigint * interval '1 millisecond', now()
        ON CONFLICT (provider, account, models, worker_id, key) DO UPDATE
        SET signal = excluded.signal, probes = greatest(o.probes, 1), refused_at = excluded.refused_at,
            next_probe = CASE WHEN o.asked_anew THEN o.next_probe ELSE greatest(o.next_probe, excluded.next_probe) END\
        """;

    private static final String ADD_OTHERS = """
        INSERT INTO outage (provider, account, models, worker_id, key, reason, since, signal, probes, next_probe)
        SELECT DISTINCT s.provider, s.account, s.models, '', ?, ?, now(), ?, 0, now()
        FROM key_use u
        JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
        JOIN pool_sight s ON s.worker_id = u.worker_id AND s.provider = u.provider AND s.told_at > now() - interval '1 minute'
        WHERE u.provider = ? AND u.key_name = ? AND u.fingerprint = ?
        ON CONFLICT DO NOTHING\
        """;

    private static final String PROBE_KEY =
            "UPDATE outage SET next_probe = now(), asked_anew = true WHERE provider = ? AND key = ?";

    private static final String PROBE_POOLS = """
        UPDATE outage SET next_probe = now(), asked_anew = true WHERE key <> '' AND (provider, account, models) IN (
            SELECT * FROM unnest(?::text[], ?::text[], ?::text[]))\
        """;

    private static final String END = "DELETE FROM outage WHERE provider = ? AND key = ?";

    // Values that nobody has any more, and workers that have long ended.
    private static final String FORGET_USES = """
        DELETE FROM key_use u WHERE told_at < now() - interval '1 day' AND NOT EXISTS (
            SELECT FROM worker w WHERE w.worker_id = u.worker_id AND worker_is_live(w.lease_until))\
        """;

    private static final String FORGET = """
        DELETE FROM outage o WHERE key <> '' AND NOT EXISTS (
            SELECT FROM key_use u WHERE u.provider = o.provider AND u.key_name || '/' || u.fingerprint = o.key)\
        """;

    private static final String IS_REFUSED = "SELECT 1 FROM outage WHERE provider = ? AND key = ?";

    private final Sql sql;
    private final KeyChanges changes;

    KeyRepository(Sql sql, KeyChanges changes) {
        this.sql = sql;
        this.changes = changes;
    }

    /** Records what a worker says of its keys, and decides of those that it says are refused. */
    @Transactional
    public void tell(String workerId, List<SeenKey> keys) {
        sql.batch(USE, keys, seen -> columns(workerId, seen));
        for (SeenKey seen : keys) {
            if (seen.isNew()) {
                // Its account may have been mended since.
                sql.update(PROBE_KEY, seen.key().provider(), seen.key().id());
            }
            if (seen.refused() != null) {
                refuse(workerId, seen.key(), seen.refused());
            }
        }
    }

    private static @Nullable Object[] columns(String workerId, SeenKey seen) {
        Duration sinceTaken = seen.sinceTaken();
        return Sql.row(
                seen.key().provider(),
                seen.key().name(),
                workerId,
                seen.key().fingerprint(),
                sinceTaken == null ? null : (Long) sinceTaken.toMillis());
    }

    private void refuse(String workerId, KeyMark key, Refused refused) {
        sql.exists(LOCK, key.provider(), key.id());
        Instant now = Instant.EPOCH;
        Instant lastTaken = sql.first(
                        TAKEN, row -> now.minusMillis(row.getLong(1)), key.provider(), key.name(), key.fingerprint())
                .orElse(null);
        if (!new KeyEvidence(refused.times(), lastTaken, now).isProven(now)) {
            return;
        }
        if (!sql.exists(IS_REFUSED, key.provider(), key.id())) {
            KeyName name = new KeyName(key.provider(), key.name());
            changes.record(
                    name, Use.ENABLED, Use.DISABLED, workerId, refused.reason().name());
        }
        sql.update(FORGET_USES);
        sql.update(FORGET);
        long untilProbe = Duration.between(
                        now, Outage.begun(refused.reason(), now).nextProbe())
                .toMillis();
        sql.batch(
                REFUSE,
                refused.pools(),
                pool -> Sql.row(
                        pool.provider(),
                        pool.account(),
                        pool.models(),
                        key.id(),
                        refused.reason().name(),
                        pool.provider(),
                        key.id(),
                        refused.words(),
                        untilProbe));
        sql.update(
                ADD_OTHERS,
                key.id(),
                refused.reason().name(),
                refused.words(),
                key.provider(),
                key.name(),
                key.fingerprint());
    }

    /**
     * The key is taken again: its pools are up.
     *
     * @param key its {@link KeyMark#id}
     */
    @Transactional
    public void taken(String provider, String key) {
        if (sql.update(END, provider, key) > 0) {
            // Its fingerprint is no one's business there.
            KeyName name = new KeyName(provider, key.substring(0, key.lastIndexOf('/')));
            changes.record(name, Use.DISABLED, Use.ENABLED, KeyChanges.ASSAY, null);
        }
    }

    /** Lets pools whose key was refused be probed at once: somebody says that it is mended. */
    @Transactional
    public void probeNow(List<ModelPool> pools) {
        sql.update(
                PROBE_POOLS,
                pools.stream().map(ModelPool::provider).toList(),
                pools.stream().map(ModelPool::account).toList(),
                pools.stream().map(ModelPool::models).toList());
    }
}
