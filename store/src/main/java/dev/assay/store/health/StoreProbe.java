package dev.assay.store.health;

import dev.assay.domain.health.StoreRefusal;
import dev.assay.store.SqlState;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Finds out whether PostgreSQL takes writes at all: where it does not, no worker can renew its lease or say why. The answer is a few
 * seconds old at most.
 */
@Singleton
public class StoreProbe {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);

    // The lock that the renewal of a lease takes. It needs the same permission, and changes nothing.
    private static final String LOCK = "SELECT 1 FROM worker LIMIT 1 FOR UPDATE SKIP LOCKED";

    private record Look(long at, Optional<StoreRefusal> refusal) {}

    private final Sql sql;
    private volatile Look latest;

    StoreProbe(Sql sql) {
        this.sql = sql;
        this.latest = new Look(System.nanoTime() - FRESH_NANOS, Optional.empty());
    }

    /** Why PostgreSQL refuses to write; empty: it does not, or it does not answer. */
    public Optional<StoreRefusal> look() {
        Look known = latest;
        if (System.nanoTime() - known.at() < FRESH_NANOS) {
            return known.refusal();
        }
        Optional<StoreRefusal> refusal = probe();
        latest = new Look(System.nanoTime(), refusal);
        return refusal;
    }

    private Optional<StoreRefusal> probe() {
        try {
            sql.write(() -> sql.exists(LOCK));
            return Optional.empty();
        } catch (RuntimeException e) {
            return SqlState.refusal(e);
        }
    }
}
