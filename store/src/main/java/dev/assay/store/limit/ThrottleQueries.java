package dev.assay.store.limit;

import dev.assay.store.sql.Columns;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.ReadOnly;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/** The pools that have refused something, as they stand. */
@Singleton
public class ThrottleQueries {

    private static final String STATES = """
        SELECT t.provider, t.account, t.models, CASE WHEN t.blocked_until > clock_timestamp() THEN t.blocked_until END AS blocked_until,
               EXISTS (SELECT FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
                       CROSS JOIN jsonb_array_elements(p -> 'keys') AS k
                       WHERE worker_is_live(w.lease_until) AND p ->> 'name' = t.provider AND k ->> 'account' <> t.account
                         AND NOT EXISTS (SELECT FROM pool_throttle o
                                         WHERE o.provider = t.provider AND o.account = k ->> 'account' AND o.models = t.models
                                           AND o.blocked_until > clock_timestamp())) AS goes_elsewhere,
               EXISTS (SELECT FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
                       CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
                       WHERE worker_is_live(w.lease_until) AND p ->> 'name' = t.provider AND l ->> 'models' = t.models) AS named,
               t.least, t.calls, t.most, t.phase, t.cuts, t.clean, refused.rate, refused.concurrency
        FROM pool_throttle t
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(r.refusals) FILTER (WHERE r.kind = 'RATE'), 0) AS rate,
                   coalesce(sum(r.refusals) FILTER (WHERE r.kind = 'CONCURRENCY'), 0) AS concurrency
            FROM pool_refusal r WHERE r.provider = t.provider AND r.account = t.account AND r.models = t.models
              AND r.minute > clock_timestamp() - interval '10 minutes') AS refused
        WHERE ?::text[] IS NULL OR t.provider = ANY (?::text[]) ORDER BY t.provider, t.account, t.models LIMIT 1000\
        """;

    private final Sql sql;

    ThrottleQueries(Sql sql) {
        this.sql = sql;
    }

    /** Those of some providers, by provider, account and models. */
    @ReadOnly
    public List<ThrottleState> of(Collection<String> providers) {
        return providers.isEmpty() ? List.of() : sql.list(STATES, ThrottleQueries::read, providers, providers);
    }

    /** Those of all providers, a thousand at most. */
    @ReadOnly
    public List<ThrottleState> all() {
        return sql.list(STATES, ThrottleQueries::read, null, null);
    }

    private static ThrottleState read(ResultSet row) throws SQLException {
        return new ThrottleState(
                LimitRows.pool(row),
                Columns.instantOrNull(row, "blocked_until"),
                row.getBoolean("goes_elsewhere"),
                row.getBoolean("named"),
                ThrottleRows.concurrency(row),
                row.getLong("rate"),
                row.getLong("concurrency"));
    }
}
