package dev.assay.store.permit;

import dev.assay.domain.limit.ModelPool;
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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The permits that workers have leased from the pools. */
@Singleton
public class PermitRepository {

    // In one order for all, so that two workers never wait for each other.
    private static final String LOCK = """
        SELECT pg_advisory_xact_lock(pool) FROM (
            SELECT DISTINCT hashtextextended(key, 0) AS pool FROM unnest(?::text[]) AS key ORDER BY 1) AS pools\
        """;

    // Each part goes by an index: neither ended campaigns nor ended workers may make workers wait.
    private static final String SIZES = """
        SELECT 'campaign/' || campaign_id, max_concurrent FROM campaign WHERE campaign_id = ANY (?::text[])
        UNION ALL
        SELECT asked.pool,
               CASE WHEN t.calls IS NULL THEN c.start WHEN m.most IS NOT NULL THEN t.calls ELSE least(greatest(t.calls, c.least), c.most) END
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[]) AS asked (pool, calls, provider, account, models)
        LEFT JOIN pool_throttle t USING (provider, account, models) LEFT JOIN manual_calls m USING (provider, models)
        CROSS JOIN LATERAL (
            SELECT min((w.calls -> asked.calls ->> 0)::integer) AS least, min((w.calls -> asked.calls ->> 1)::integer) AS start,
                   min((w.calls -> asked.calls ->> 2)::integer) AS most
            FROM worker w WHERE worker_is_live(w.lease_until)) AS c
        WHERE coalesce(t.calls, c.start) IS NOT NULL\
        """;

    private static final String LEASES = """
        SELECT pool, worker_id, granted, wanted, urgent,
               (extract(epoch FROM greatest(clock_timestamp() - since, interval '0')) * 1000)::bigint AS since_ms,
               worker_id IN (SELECT worker_id FROM worker WHERE worker_is_live(lease_until)) AS is_live
        FROM permit_lease WHERE pool = ANY (?::text[])\
        """;

    private static final String FREE_LAPSED = """
        DELETE FROM permit_lease l USING worker w
        WHERE l.pool = ANY (?::text[]) AND w.worker_id = l.worker_id AND NOT worker_is_live(w.lease_until)\
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
     * one after the other. A pool that does not exist any more has no permits. Where nothing changed nothing is written.
     */
    @Transactional
    public Map<PermitPool, PermitGrant> exchange(String workerId, Map<PermitPool, PermitAsk> asks) {
        List<String> keys = asks.keySet().stream().map(PermitPool::key).toList();
        // Before the lock, for which others wait. What changes meanwhile holds with the next exchange.
        Map<String, Integer> sizes = sizes(asks.keySet());
        sql.exists(LOCK, keys);
        Map<String, List<Lease>> leases = sql.grouped(LEASES, row -> row.getString(1), Lease::read, keys);
        if (leases.values().stream().flatMap(List::stream).anyMatch(lease -> !lease.isLive())) {
            sql.update(FREE_LAPSED, keys);
        }
        List<Answer> answers = new ArrayList<>();
        asks.forEach((pool, ask) -> {
            List<PermitLease> recorded = leases.getOrDefault(pool.key(), List.of()).stream()
                    .filter(Lease::isLive)
                    .map(Lease::permits)
                    .toList();
            int size = sizes.getOrDefault(pool.key(), 0);
            answers.add(new Answer(pool, ask, PermitGrant.of(size, recorded, workerId, ask), own(workerId, recorded)));
        });
        record(workerId, answers);
        return answers.stream().collect(Collectors.toMap(Answer::pool, Answer::grant));
    }

    /** @param isLive whether its worker is */
    private record Lease(PermitLease permits, boolean isLive) {

        private static Lease read(ResultSet row) throws SQLException {
            PermitLease permits = new PermitLease(
                    row.getString(2),
                    row.getInt(3),
                    new PermitWish(row.getInt(4), row.getInt(5)),
                    Duration.ofMillis(row.getLong(6)));
            return new Lease(permits, row.getBoolean(7));
        }
    }

    private static @Nullable PermitLease own(String workerId, List<PermitLease> leases) {
        return leases.stream()
                .filter(lease -> lease.workerId().equals(workerId))
                .findFirst()
                .orElse(null);
    }

    private Map<String, Integer> sizes(Collection<PermitPool> pools) {
        List<PermitPool> configured = pools.stream()
                .filter(pool -> pool.kind() != PermitPool.Kind.CAMPAIGN)
                .toList();
        return sql.byKey(
                SIZES,
                row -> row.getString(1),
                row -> row.getInt(2),
                pools.stream()
                        .filter(pool -> pool.kind() == PermitPool.Kind.CAMPAIGN)
                        .map(PermitPool::name)
                        .toList(),
                configured.stream().map(PermitPool::key).toList(),
                configured.stream().map(PermitRepository::calls).toList(),
                groups(configured, ModelPool::provider),
                groups(configured, ModelPool::account),
                groups(configured, ModelPool::models));
    }

    /** What a pool is called in what workers allow: a group has as many permits with each account. */
    private static String calls(PermitPool pool) {
        ModelPool group = pool.group();
        return group == null ? pool.key() : "models/" + group.provider() + "/" + group.models();
    }

    /** Null of pools that are no group. */
    private static List<@Nullable String> groups(List<PermitPool> pools, Function<ModelPool, String> value) {
        List<@Nullable String> column = new ArrayList<>();
        for (PermitPool pool : pools) {
            ModelPool group = pool.group();
            column.add(group == null ? null : value.apply(group));
        }
        return column;
    }

    /** @param recorded what is on record of the worker until now; null: nothing */
    private record Answer(
            PermitPool pool,
            PermitAsk ask,
            PermitGrant grant,
            @Nullable PermitLease recorded) {

        boolean isRecorded() {
            return grant.isRecordedFor(ask);
        }

        boolean isChanged() {
            return recorded == null
                    || recorded.granted() != grant.granted()
                    || !recorded.wish().equals(ask.wish());
        }
    }

    private void record(String workerId, List<Answer> answers) {
        List<String> removed = answers.stream()
                .filter(answer -> !answer.isRecorded() && answer.recorded() != null)
                .map(answer -> answer.pool().key())
                .toList();
        if (!removed.isEmpty()) {
            sql.update(REMOVE, workerId, removed);
        }
        sql.batch(
                RECORD,
                answers.stream()
                        .filter(Answer::isRecorded)
                        .filter(Answer::isChanged)
                        .toList(),
                answer -> Sql.row(
                        answer.pool().key(),
                        workerId,
                        answer.grant().granted(),
                        answer.ask().wish().wanted(),
                        answer.ask().wish().urgent()));
    }
}
