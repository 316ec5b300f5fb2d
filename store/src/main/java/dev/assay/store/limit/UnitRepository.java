package dev.assay.store.limit;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolSpending;
import dev.assay.domain.limit.Spending;
import dev.assay.domain.limit.UnitAsk;
import dev.assay.domain.limit.UnitGrant;
import dev.assay.domain.limit.UnitWish;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.WorkerTurn;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The units that workers spend of the limits of pools, by PostgreSQL's clock. */
@Singleton
public class UnitRepository {

    // In one order for all, so that two workers never wait for each other.
    static final String LOCK = """
        SELECT pg_advisory_xact_lock(pool) FROM (
            SELECT DISTINCT hashtextextended('limit/' || key, 0) AS pool FROM unnest(?::text[]) AS key ORDER BY 1) AS pools\
        """;

    private final Sql sql;
    private final LimitsInForce limits;
    private final LimitRows rows;

    UnitRepository(Sql sql, LimitsInForce limits, LimitRows rows) {
        this.sql = sql;
        this.limits = limits;
        this.rows = rows;
    }

    /**
     * Puts charges of a live worker right, and grants it the units of its next requests. Workers ask one after the other. Units that
     * are granted are charged, whether the worker gets the answer or not.
     */
    @Transactional
    public Map<ModelPool, UnitAnswer> exchange(String workerId, Map<ModelPool, UnitRequest> requests) {
        List<ModelPool> pools = List.copyOf(requests.keySet());
        sql.exists(LOCK, pools.stream().map(ModelPool::toString).toList());
        Instant now = rows.now();
        LimitRows.Found found = rows.find(pools);
        Map<ModelPool, UnitAnswer> answers = new LinkedHashMap<>();
        List<Settled> settled = new ArrayList<>();
        requests.forEach((pool, request) -> {
            Settled one = settle(pool, workerId, request, limits.of(pool), found.of(pool), now);
            settled.add(one);
            answers.put(pool, one.answer());
        });
        rows.record(workerId, settled);
        return answers;
    }

    /**
     * The state of a pool after a worker has asked.
     *
     * @param served when units were last granted to the worker
     * @param corrected number of its last corrections
     * @param isNew whether the worker asks for the first time
     * @param isChanged whether anything was spent or put right
     */
    record Settled(
            ModelPool pool,
            UnitRequest request,
            PoolSpending spending,
            UnitGrant grant,
            Instant now,
            Instant served,
            long corrected,
            boolean isNew,
            boolean isChanged) {

        UnitAnswer answer() {
            Map<LimitKind, UnitAnswer.Charging> limits = new LinkedHashMap<>();
            spending.limits().forEach((kind, one) -> limits.put(kind, UnitAnswer.Charging.of(one)));
            return new UnitAnswer(grant.granted(), limits);
        }

        /** Calls of the worker that wait still. */
        int waiting() {
            return Math.max(0, request.waiting() - grant.granted());
        }

        /** The first request that waits still; null: none does. */
        @Nullable
        Units head() {
            return grant.granted() < request.requests().size()
                    ? request.requests().get(grant.granted())
                    : null;
        }
    }

    /**
     * Takes all units of each minute for spent. PostgreSQL went back to an earlier state, and nobody knows what was sent in the time
     * that is lost.
     */
    @Transactional
    public void beginFull() {
        rows.fill();
    }

    private static Settled settle(
            ModelPool pool,
            String workerId,
            UnitRequest request,
            LimitsInForce.PoolLimits limits,
            LimitRows.PoolRows found,
            Instant now) {
        LimitRows.Wish own = found.wishes().get(workerId);
        Instant served = own == null ? now : own.servedAt();
        long corrected = own == null ? 0 : own.corrected();
        PoolSpending before = PoolSpending.at(now, found.spent(), limits.units(), limits.burstSeconds());
        PoolSpending right = (request.number() > corrected ? before.corrected(request.corrections()) : before)
                .heard(request.others());
        UnitAsk ask = new UnitAsk(turn(workerId, request.isUrgent(), served, now), request.requests());
        UnitGrant grant = right.grant(ask, others(workerId, found.wishes(), now));
        PoolSpending after = right.spent(grant);
        return new Settled(
                pool,
                request,
                after,
                grant,
                now,
                grant.granted() > 0 ? now : served,
                Math.max(corrected, request.number()),
                own == null,
                !after.equals(before) || !isRecorded(limits, found));
    }

    /** Whether what is on record goes by the limits in force. */
    private static boolean isRecorded(LimitsInForce.PoolLimits limits, LimitRows.PoolRows found) {
        return limits.units().entrySet().stream().allMatch(limit -> {
            Spending spent = found.spent().get(limit.getKey());
            return spent != null && spent.limit() == limit.getValue() && spent.burstSeconds() == limits.burstSeconds();
        });
    }

    private static List<UnitWish> others(String workerId, Map<String, LimitRows.Wish> wishes, Instant now) {
        List<UnitWish> others = new ArrayList<>();
        wishes.forEach((id, wish) -> {
            if (wish.head() != null && !id.equals(workerId)) {
                // A clock that went back makes a wish come from the future. It is as old as that is far.
                Duration age = Duration.between(wish.toldAt(), now).abs();
                others.add(new UnitWish(turn(id, wish.isUrgent(), wish.servedAt(), now), wish.head(), age));
            }
        });
        return others;
    }

    private static WorkerTurn turn(String workerId, boolean isUrgent, Instant served, Instant now) {
        Duration waited = Duration.between(served, now);
        return new WorkerTurn(workerId, isUrgent, waited.isNegative() ? Duration.ZERO : waited);
    }
}
