package dev.assay.store.limit;

import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.answer.Throttle;
import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of pools that have refused something. */
@Singleton
class ThrottleRows {

    // In one order for all, so that two workers never wait for each other.
    private static final String LOCK = """
        SELECT pg_advisory_xact_lock(pool) FROM (
            SELECT DISTINCT hashtextextended('throttle/' || key, 0) AS pool FROM unnest(?::text[]) AS key ORDER BY 1) AS pools\
        """;

    private static final String FIND = """
        SELECT provider, account, models, blocked_until, blocks, in_row, least, calls, most, phase, cuts, clean, clock_timestamp() AS now
        FROM pool_throttle WHERE (provider, account, models) IN (SELECT * FROM unnest(?::text[], ?::text[], ?::text[]))\
        """;

    private static final String PUT = """
        INSERT INTO pool_throttle (provider, account, models, blocked_until, blocks, in_row, least, calls, most, phase, cuts, clean, changed_at)
        VALUES (?, ?, ?, clock_timestamp() + ?::bigint * interval '1 millisecond', ?, ?, ?, ?, ?, ?, ?, ?, clock_timestamp())
        ON CONFLICT (provider, account, models) DO UPDATE
        SET blocked_until = excluded.blocked_until, blocks = excluded.blocks, in_row = excluded.in_row, least = excluded.least,
            calls = excluded.calls, most = excluded.most, phase = excluded.phase, cuts = excluded.cuts, clean = excluded.clean,
            changed_at = excluded.changed_at\
        """;

    private static final String COUNT = """
        INSERT INTO pool_refusal AS r (provider, account, models, kind, minute, refusals)
        VALUES (?, ?, ?, ?, date_trunc('minute', clock_timestamp()), ?)
        ON CONFLICT (provider, account, models, kind, minute) DO UPDATE SET refusals = r.refusals + excluded.refusals\
        """;

    private static final String FORGET_REFUSALS =
            "DELETE FROM pool_refusal WHERE minute < clock_timestamp() - interval '1 hour'";
    // What a person set stays.
    private static final String FORGET = """
        DELETE FROM pool_throttle t WHERE changed_at < clock_timestamp() - interval '30 days' AND NOT EXISTS (
            SELECT FROM manual_calls m WHERE m.provider = t.provider AND m.models = t.models)\
        """;

    private final Sql sql;

    ThrottleRows(Sql sql) {
        this.sql = sql;
    }

    /** What is on record of a pool, and the time. */
    record Found(ModelPool pool, Throttle throttle, Instant now) {

        StoredThrottle stored() {
            return new StoredThrottle(
                    throttle.concurrency().now(),
                    throttle.concurrency().max(),
                    throttle.concurrency().cuts(),
                    throttle.blocks(),
                    throttle.inRow(),
                    throttle.blockedFor(now));
        }
    }

    /** Who writes pools waits for others that do. */
    void lock(Collection<ModelPool> pools) {
        sql.exists(LOCK, pools.stream().map(ModelPool::toString).toList());
    }

    Instant now() {
        return sql.first("SELECT clock_timestamp()", row -> row.getTimestamp(1).toInstant())
                .orElseThrow();
    }

    /** The pools that are on record. */
    Map<ModelPool, Found> find(Collection<ModelPool> pools) {
        Map<ModelPool, Found> found = new HashMap<>();
        sql.forEach(FIND, ThrottleRows::read, one -> found.put(one.pool(), one), columns(pools));
        return found;
    }

    /** The parameters that name pools. */
    static @Nullable Object[] columns(Collection<ModelPool> pools) {
        return Sql.row(
                column(pools, ModelPool::provider),
                column(pools, ModelPool::account),
                column(pools, ModelPool::models));
    }

    private static List<String> column(Collection<ModelPool> pools, Function<ModelPool, String> value) {
        return pools.stream().map(value).toList();
    }

    private static Found read(ResultSet row) throws SQLException {
        return new Found(
                LimitRows.pool(row),
                new Throttle(
                        concurrency(row),
                        Columns.instantOrNull(row, "blocked_until"),
                        row.getInt("blocks"),
                        row.getInt("in_row")),
                Columns.instant(row, "now"));
    }

    static AdaptiveConcurrency concurrency(ResultSet row) throws SQLException {
        return new AdaptiveConcurrency(
                row.getInt("least"),
                row.getInt("most"),
                row.getInt("calls"),
                AdaptiveConcurrency.Phase.valueOf(row.getString("phase")),
                row.getInt("cuts"),
                row.getInt("clean"));
    }

    /** Writes a pool as it is at {@code now}. */
    void put(ModelPool pool, Throttle throttle, Instant now, boolean isNew) {
        if (isNew) {
            sql.update(FORGET);
        }
        AdaptiveConcurrency calls = throttle.concurrency();
        Duration blocked = throttle.blockedFor(now);
        sql.update(
                PUT,
                pool.provider(),
                pool.account(),
                pool.models(),
                blocked.isZero() ? null : (Long) blocked.toMillis(),
                throttle.blocks(),
                throttle.inRow(),
                calls.min(),
                calls.now(),
                calls.max(),
                calls.phase().name(),
                calls.cuts(),
                calls.clean());
    }

    /** Counts refusals. */
    void count(ModelPool pool, List<ThrottleReport.Refused> refusals) {
        if (!refusals.isEmpty()) {
            sql.update(FORGET_REFUSALS);
            sql.batch(
                    COUNT,
                    refusals,
                    refused -> Sql.row(
                            pool.provider(),
                            pool.account(),
                            pool.models(),
                            refused.refusal().kind().name(),
                            refused.times()));
        }
    }
}
