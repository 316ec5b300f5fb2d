package dev.assay.store.limit;

import dev.assay.domain.limit.AdaptiveConcurrency;
import dev.assay.domain.limit.KnownLimit;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Spending;
import dev.assay.domain.limit.answer.PoolRefusal;
import dev.assay.domain.limit.answer.Throttle;
import dev.assay.domain.provider.ConcurrencyRange;
import dev.assay.domain.provider.ManualLimitChange;
import dev.assay.store.limit.ChangeRows.Change;
import dev.assay.store.sql.Sql;
import io.micronaut.transaction.annotation.Transactional;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What answers have made of pools: until when they are blocked, and how many calls they may have, by PostgreSQL's clock. */
@Singleton
public class ThrottleRepository {

    // After a refusal by rate nothing goes at once.
    private static final String EMPTY = """
        UPDATE limit_spending SET reckoned_at = greatest(reckoned_at, clock_timestamp()), credit = least(credit, 0)
        WHERE provider = ? AND account = ? AND models = ? AND name LIKE '%PerMinute'\
        """;

    private static final String CONCURRENT = ManualLimitChange.CONCURRENT;

    private final Sql sql;
    private final ThrottleRows rows;
    private final CallRanges ranges;
    private final LearnedRows learned;
    private final LimitRows units;
    private final LimitsInForce limits;
    private final ChangeRows changes;

    ThrottleRepository(
            Sql sql,
            ThrottleRows rows,
            CallRanges ranges,
            LearnedRows learned,
            LimitRows units,
            LimitsInForce limits,
            ChangeRows changes) {
        this.sql = sql;
        this.rows = rows;
        this.ranges = ranges;
        this.learned = learned;
        this.units = units;
        this.limits = limits;
        this.changes = changes;
    }

    /**
     * How pools stand.
     *
     * @param throttles those that have refused something
     * @param limited those that have limits, by the settings or as answers have said
     */
    public record Known(Map<ModelPool, StoredThrottle> throttles, Set<ModelPool> limited) {

        public Known {
            throttles = Map.copyOf(throttles);
            limited = Set.copyOf(limited);
        }

        /** Those of a group of models, by account. */
        public Map<String, StoredThrottle> ofGroup(ModelPool group) {
            Map<String, StoredThrottle> found = new HashMap<>();
            throttles.forEach((pool, throttle) -> {
                if (pool.isOfGroup(group)) {
                    found.put(pool.account(), throttle);
                }
            });
            return found;
        }
    }

    /**
     * Records what a worker tells of pools, and says how they stand. Workers tell one after the other; what is told twice cuts and
     * blocks once.
     *
     * @param workerId the worker, for those who look at changes later
     * @param reports what is told of each pool that the worker asks
     * @return what is on record of them
     */
    @Transactional
    public Known exchange(String workerId, Map<ModelPool, ThrottleReport> reports) {
        Set<ModelPool> told = reports.entrySet().stream()
                .filter(report -> !report.getValue().isEmpty())
                .flatMap(report -> Stream.of(report.getKey(), group(report.getKey())))
                .collect(Collectors.toSet());
        if (!told.isEmpty()) {
            record(told, reports, workerId);
        }
        Map<ModelPool, StoredThrottle> known = new HashMap<>();
        rows.find(reports.keySet()).forEach((pool, found) -> known.put(pool, found.stored()));
        return new Known(
                known,
                reports.keySet().stream()
                        .filter(pool -> !limits.of(pool).units().isEmpty())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** The pool of whose calls there is one number, whatever the account. */
    private static ModelPool group(ModelPool pool) {
        return pool.ofAccount(ModelPool.DEFAULT_ACCOUNT);
    }

    private void record(Set<ModelPool> told, Map<ModelPool, ThrottleReport> reports, String workerId) {
        rows.lock(told);
        Instant now = rows.now();
        Map<ModelPool, ThrottleRows.Found> found = rows.find(told);
        CallRanges.Known configured = ranges.known();
        for (ModelPool pool : told) {
            ThrottleReport report = reports.getOrDefault(pool, ThrottleReport.NONE);
            ThrottleRows.Found before = found.get(pool);
            ConcurrencyRange range = configured.of(pool);
            Throttle known = before == null
                    ? Throttle.begun(range.min(), range.start(), range.max())
                    : before.throttle().within(range.min(), range.max());
            List<PoolRefusal> cuts = cuts(pool, reports);
            Throttle after = after(known, report, cuts, range, now);
            if (before == null ? report.isOfCalls() || !cuts.isEmpty() : !after.equals(before.throttle())) {
                rows.put(pool, after, now, before == null);
                tell(pool, known.concurrency(), after.concurrency(), workerId);
            }
            rows.count(pool, report.refusals());
        }
        spend(reports, now, workerId);
    }

    /** What accounts of a group refused since too many calls were in flight: their number is the group's. */
    private static List<PoolRefusal> cuts(ModelPool pool, Map<ModelPool, ThrottleReport> reports) {
        List<PoolRefusal> cuts = new ArrayList<>();
        reports.forEach((other, report) -> {
            if (group(other).equals(pool) && !other.equals(pool)) {
                cuts.addAll(report.ofConcurrency());
            }
        });
        return cuts;
    }

    /** Records what was spent. */
    private void spend(Map<ModelPool, ThrottleReport> reports, Instant now, String workerId) {
        List<ModelPool> usedUp = reports.keySet().stream()
                .filter(pool -> reports.getOrDefault(pool, ThrottleReport.NONE).isOfRate())
                .toList();
        Map<ModelPool, ThrottleReport> taught = new HashMap<>(reports);
        taught.values().removeIf(report -> report.learned().isEmpty());
        Set<ModelPool> ofUnits = new HashSet<>(usedUp);
        ofUnits.addAll(taught.keySet());
        if (!ofUnits.isEmpty()) {
            sql.exists(
                    UnitRepository.LOCK,
                    ofUnits.stream().map(ModelPool::toString).toList());
            taught.forEach((pool, report) -> learn(pool, report.learned(), now, workerId));
            usedUp.forEach(pool -> sql.update(EMPTY, pool.provider(), pool.account(), pool.models()));
        }
    }

    private static Throttle after(
            Throttle known, ThrottleReport report, List<PoolRefusal> cuts, ConcurrencyRange range, Instant now) {
        Throttle after = report.isBack() ? known.restarted(range.start()) : known;
        ThrottleReport.Answers answers = report.answers();
        if (answers != null) {
            after = after.calmed(answers.blocksThen());
            for (int i = 0; i < answers.times(); i++) {
                after = after.answered(answers.cutsThen(), answers.inFlight());
            }
        }
        for (ThrottleReport.Refused refused : report.refusals()) {
            PoolRefusal refusal = refused.refusal();
            after = after.refused(refusal, now);
        }
        for (PoolRefusal refusal : cuts) {
            after = after.cut(refusal);
        }
        return after;
    }

    /** Records how the number of a group's calls changed. */
    private void tell(ModelPool pool, AdaptiveConcurrency before, AdaptiveConcurrency after, String workerId) {
        if (after.now() < before.now()) {
            changes.add(Change.of(pool, CONCURRENT, before.now(), after.now(), "cut", workerId));
        } else if (after.now() > before.now()) {
            String why = before.phase() == AdaptiveConcurrency.Phase.SLOW_START ? "slow_start" : "growth";
            changes.addOften(Change.of(pool, CONCURRENT, before.now(), after.now(), why, workerId));
        }
    }

    /** Records what is in force otherwise since answers said it. */
    private void tell(ModelPool pool, LimitKind kind, @Nullable KnownLimit before, String workerId) {
        KnownLimit after = limits.of(pool).known().get(kind);
        Long value = before == null ? null : (Long) before.inForce().limit();
        if (after != null && !Objects.equals(value, after.inForce().limit())) {
            changes.addOften(Change.of(pool, kind.word(), value, after.inForce().limit(), "header", workerId));
        }
    }

    /** What is spent already of a limit that becomes known is what its answer says. */
    private void learn(ModelPool pool, List<ThrottleReport.Learned> said, Instant now, String workerId) {
        Map<LimitKind, KnownLimit> before = limits.of(pool).known();
        learned.put(pool, said);
        limits.lookAgain();
        said.forEach(one -> tell(pool, one.kind(), before.get(one.kind()), workerId));
        for (ThrottleReport.Learned one : said) {
            units.begin(
                    pool,
                    Spending.begun(one.kind(), one.limit(), LimitsInForce.DEFAULT_BURST_SECONDS, now, one.used()));
        }
    }
}
