package dev.assay.store.permit;

import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitGrant;
import dev.assay.domain.permit.PermitLease;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The permits that workers have leased from the pools. */
@Singleton
public class PermitRepository {

    // In one order for all, so that two workers never wait for each other.
    private static final String LOCK = """
        SELECT pg_advisory_xact_lock(pool) FROM (
            SELECT DISTINCT hashtextextended(key, 0) AS pool FROM unnest(?::text[]) AS key ORDER BY 1) AS pools\
        """;

    private static final String SIZES = """
        SELECT 'campaign/' || campaign_id, max_concurrent FROM campaign WHERE 'campaign/' || campaign_id = ANY (?::text[])
        UNION ALL
        SELECT 'provider/' || (p ->> 'name'), min((p ->> 'maxConcurrent')::integer)
        FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p
        WHERE worker_is_live(w.lease_until) AND 'provider/' || (p ->> 'name') = ANY (?::text[]) GROUP BY 1
        UNION ALL
        SELECT asked.pool, CASE WHEN t.calls IS NULL THEN c.start ELSE least(greatest(t.calls, c.least), c.most) END
        FROM unnest(?::text[]) AS asked (pool)
        LEFT JOIN pool_throttle t ON 'models/' || t.provider || '/' || t.account || '/' || t.models = asked.pool
        CROSS JOIN LATERAL (
            SELECT min(coalesce(l ->> 'concurrentMin', l ->> 'concurrent')::integer) AS least,
                   min(coalesce(l ->> 'concurrentStart', l ->> 'concurrent')::integer) AS start, min((l ->> 'concurrent')::integer) AS most
            FROM worker w CROSS JOIN jsonb_array_elements(w.providers) AS p CROSS JOIN jsonb_array_elements(p -> 'limits') AS l
            WHERE asked.pool LIKE 'models/%' AND worker_is_live(w.lease_until)
              AND asked.pool = 'models/' || (p ->> 'name') || '/' || split_part(asked.pool, '/', 3) || '/' || (l ->> 'models')) AS c
        WHERE coalesce(t.calls, c.start) IS NOT NULL
        UNION ALL
        SELECT host.pool, min(coalesce((a ->> 'maxConcurrent')::integer, 1000))
        FROM worker w CROSS JOIN jsonb_array_elements(w.tools -> 'addresses') AS a
        CROSS JOIN LATERAL (SELECT 'provider/http/'
            || lower(substring(a ->> 'url' FROM '^[^:]+://(\\[[^]]*\\]|[^/:?]+)')) AS pool) AS host
        WHERE worker_is_live(w.lease_until) AND host.pool = ANY (?::text[]) GROUP BY 1\
        """;

    private static final String FREE_LAPSED = """
        DELETE FROM permit_lease l USING worker w
        WHERE l.pool = ANY (?::text[]) AND w.worker_id = l.worker_id AND NOT worker_is_live(w.lease_until)\
        """;

    private static final String LEASES = """
        SELECT pool, worker_id, granted, wanted, urgent,
               (extract(epoch FROM greatest(clock_timestamp() - since, interval '0')) * 1000)::bigint AS since_ms
        FROM permit_lease WHERE pool = ANY (?::text[])\
        """;

    private static final String RECORD = """
        INSERT INTO permit_lease AS l (pool, worker_id, granted, wanted, urgent, since) VALUES (?, ?, ?, ?, ?, clock_timestamp())
        ON CONFLICT (pool, worker_id) DO UPDATE
        SET granted = excluded.granted, wanted = excluded.wanted, urgent = excluded.urgent,
            since = CASE WHEN (l.granted > 0) = (excluded.granted > 0) THEN l.since ELSE excluded.since END
        WHERE (l.granted, l.wanted, l.urgent) IS DISTINCT FROM (excluded.granted, excluded.wanted, excluded.urgent)\
        """;

    private static final String REMOVE = "DELETE FROM permit_lease WHERE worker_id = ? AND pool = ANY (?::text[])";

    private final Sql sql;

    PermitRepository(Sql sql) {
        this.sql = sql;
    }

    /**
     * Records the permits that a live worker holds and wants, and answers with its grants (see {@link PermitGrant#of}). Workers ask
     * one after the other. A pool that does not exist any more has no permits.
     */
    @Transactional
    public Map<PermitPool, PermitGrant> exchange(String workerId, Map<PermitPool, PermitAsk> asks) {
        List<String> keys = asks.keySet().stream().map(PermitPool::key).toList();
        sql.exists(LOCK, keys);
        sql.update(FREE_LAPSED, keys);
        Map<String, Integer> sizes =
                sql.byKey(SIZES, row -> row.getString(1), row -> row.getInt(2), keys, keys, keys, keys);
        Map<String, List<PermitLease>> leases =
                sql.grouped(LEASES, row -> row.getString(1), PermitRepository::lease, keys);
        List<Answer> answers = new ArrayList<>();
        asks.forEach((pool, ask) -> {
            List<PermitLease> recorded = leases.getOrDefault(pool.key(), List.of());
            int size = sizes.getOrDefault(pool.key(), 0);
            answers.add(new Answer(pool, ask, PermitGrant.of(size, recorded, workerId, ask)));
        });
        record(workerId, answers);
        return answers.stream().collect(Collectors.toMap(Answer::pool, Answer::grant));
    }

    private record Answer(PermitPool pool, PermitAsk ask, PermitGrant grant) {

        boolean isRecorded() {
            return grant.isRecordedFor(ask);
        }
    }

    private static PermitLease lease(ResultSet row) throws SQLException {
        return new PermitLease(
                row.getString(2),
                row.getInt(3),
                new PermitWish(row.getInt(4), row.getInt(5)),
                Duration.ofMillis(row.getLong(6)));
    }

    private void record(String workerId, List<Answer> answers) {
        sql.update(
                REMOVE,
                workerId,
                answers.stream()
                        .filter(answer -> !answer.isRecorded())
                        .map(answer -> answer.pool().key())
                        .toList());
        sql.batch(
                RECORD,
                answers.stream().filter(Answer::isRecorded).toList(),
                answer -> Sql.row(
                        answer.pool().key(),
                        workerId,
                        answer.grant().granted(),
                        answer.ask().wish().wanted(),
                        answer.ask().wish().urgent()));
    }
}
