package dev.assay.store.limit;

import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Limits that people set while workers run. They hold until they are taken back. */
@Singleton
public class ManualLimits {

    // Changes come one after the other, so that what is sent twice at once is one change.
    static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('limit_change', 0))";

    private static final String SET = """
        INSERT INTO manual_limit (provider, account, models, name, units, who, reason) VALUES (?, ?, ?, ?, ?::bigint, ?, ?)
        ON CONFLICT (provider, account, models, name) DO UPDATE
        SET units = excluded.units, who = excluded.who, reason = excluded.reason, changed_at = now()\
        """;

    private static final String TAKE_BACK =
            "DELETE FROM manual_limit WHERE provider = ? AND account = ? AND models = ? AND name = ?";

    static final String MANUAL = "manual";

    private final Sql sql;
    private final LimitsInForce limits;
    private final ManualCalls calls;
    private final ChangeRows changes;

    ManualLimits(Sql sql, LimitsInForce limits, ManualCalls calls, ChangeRows changes) {
        this.sql = sql;
        this.limits = limits;
        this.calls = calls;
        this.changes = changes;
    }

    /** Changes the limits of pools, and records who changed them. What is as it is wanted stays as it is. */
    @Transactional
    public void change(List<ModelPool> pools, ManualLimitChange change, String who) {
        sql.exists(LOCK);
        limits.renew();
        for (ModelPool pool : pools) {
            LimitsInForce.PoolLimits now = limits.of(pool);
            change.limits()
                    .forEach((kind, units) -> change(
                            pool, kind, now.known().get(kind), units.orElse(null), new Author(who, change.reason())));
        }
        ManualLimitChange.Calls concurrent = change.calls();
        if (concurrent != null) {
            // The calls are those of all accounts.
            pools.stream()
                    .map(pool -> pool.ofAccount(ModelPool.DEFAULT_ACCOUNT))
                    .distinct()
                    .forEach(group -> calls.set(group, concurrent.bounds(), new Author(who, change.reason())));
        }
    }

    /** Who set a limit by hand and why, as in {@code chief, "shared until Friday"}; empty: nobody did. */
    @ReadOnly
    public Optional<String> setBy(ModelPool pool, LimitKind kind) {
        return sql.first(
                "SELECT who, reason FROM manual_limit WHERE provider = ? AND account = ? AND models = ? AND name = ?",
                row -> row.getString("who") + ", \"" + row.getString("reason") + "\"",
                pool.provider(),
                pool.account(),
                pool.models(),
                kind.word());
    }

    /** Who changes something, and why. */
    record Author(String who, String reason) {}

    private void change(
            ModelPool pool, LimitKind kind, @Nullable KnownLimit before, @Nullable Long units, Author author) {
        if (Objects.equals(before == null ? null : before.manual(), units)) {
            return;
        }
        if (units == null) {
            sql.update(TAKE_BACK, pool.provider(), pool.account(), pool.models(), kind.word());
        } else {
            sql.update(
                    SET,
                    pool.provider(),
                    pool.account(),
                    pool.models(),
                    kind.word(),
                    units,
                    author.who(),
                    author.reason());
        }
        changes.add(new ChangeRows.Change(
                pool,
                kind.word(),
                value(before),
                value(KnownLimit.withManual(before, units)),
                MANUAL,
                author.who(),
                author.reason()));
    }

    private static @Nullable String value(@Nullable KnownLimit limit) {
        return limit == null ? null : String.valueOf(limit.inForce().limit());
    }
}
