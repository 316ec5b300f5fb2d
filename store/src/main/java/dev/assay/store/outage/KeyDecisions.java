package dev.assay.store.outage;

import dev.assay.domain.provider.KeyState.Use;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.Set;

/** What people decide of keys: a draining one sends nothing new, its calls end. */
@Singleton
public class KeyDecisions {

    // Two people who drain the last two keys at once come one after the other.
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('keys/' || ?::text, 0))";

    private static final String OTHERS = """
        SELECT 1 FROM key_use u JOIN worker w ON w.worker_id = u.worker_id AND worker_is_live(w.lease_until)
        WHERE u.provider = ? AND u.key_name <> ? AND key_is_usable(u.provider, u.key_name, u.fingerprint)\
        """;

    // The same again changes nothing.
    private static final String DECIDE = """
        INSERT INTO provider_key AS k (provider, key_name, state, reason, who, since) VALUES (?, ?, ?, ?, ?, now())
        ON CONFLICT (provider, key_name) DO UPDATE
        SET state = excluded.state, reason = excluded.reason, who = excluded.who, since = excluded.since
        WHERE (k.state, k.reason) <> (excluded.state, excluded.reason)\
        """;

    private static final String PROBE = """
        UPDATE outage o SET next_probe = now(), asked_anew = true
        FROM key_use u WHERE o.provider = u.provider AND o.key = u.key_name || '/' || u.fingerprint AND u.provider = ? AND u.key_name = ?\
        """;

    private static final String DRAINING = "SELECT provider, key_name FROM provider_key WHERE state = 'draining'";

    private static final String IS_DRAINING =
            "SELECT 1 FROM provider_key WHERE provider = ? AND key_name = ? AND state = 'draining'";

    private final Sql sql;
    private final KeyChanges changes;

    KeyDecisions(Sql sql, KeyChanges changes) {
        this.sql = sql;
        this.changes = changes;
    }

    /** A key by its name. */
    public record KeyName(String provider, String name) {}

    /**
     * Lets a key send nothing new.
     *
     * @param why the reason, as the person says
     * @return false: no other key of the provider can be used, so nothing was changed
     */
    @Transactional
    public boolean drain(KeyName key, String why, String who) {
        sql.exists(LOCK, key.provider());
        if (!sql.exists(OTHERS, key.provider(), key.name())) {
            return false;
        }
        if (!isDraining(key)) {
            changes.record(key, Use.ENABLED, Use.DRAINING, who, why);
        }
        sql.update(DECIDE, key.provider(), key.name(), "draining", why, who);
        return true;
    }

    /** Lets a key be used again. One that was refused is probed at once. */
    @Transactional
    public void enable(KeyName key, String why, String who) {
        sql.exists(LOCK, key.provider());
        if (isDraining(key)) {
            changes.record(key, Use.DRAINING, Use.ENABLED, who, why);
        }
        sql.update(DECIDE, key.provider(), key.name(), "enabled", why, who);
        sql.update(PROBE, key.provider(), key.name());
    }

    private boolean isDraining(KeyName key) {
        return sql.exists(IS_DRAINING, key.provider(), key.name());
    }

    /** The keys with which nothing new is sent. */
    @ReadOnly
    public Set<KeyName> draining() {
        return new HashSet<>(sql.list(DRAINING, row -> new KeyName(row.getString(1), row.getString(2))));
    }
}
