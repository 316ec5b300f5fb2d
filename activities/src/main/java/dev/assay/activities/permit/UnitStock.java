package dev.assay.activities.permit;

import dev.assay.domain.limit.ChargeCorrection;
import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.OthersUse;
import dev.assay.domain.limit.UnitLease;
import dev.assay.domain.limit.Units;
import dev.assay.store.limit.UnitAnswer;
import dev.assay.store.limit.UnitAnswer.Charging;
import dev.assay.store.limit.UnitRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The units that this worker has leased, and what it owes or returns of those that it spent. For threads at once. */
final class UnitStock {

    private final Map<ModelPool, PoolStock> pools = new HashMap<>();
    private final UnitCount spent = new UnitCount();
    private final LongSupplier nanoTime;
    private final Runnable news;
    private final Accounts accounts;
    private final Function<ModelPool, Set<String>> blocked;
    /** Of the corrections sent last, of any pool: it only grows, so what is sent twice is applied once. */
    private long number;

    /**
     * @param news told when units are missing of which nobody knows yet
     * @param blocked the accounts of a group with which nothing is sent now
     */
    UnitStock(LongSupplier nanoTime, Runnable news, Accounts accounts, Function<ModelPool, Set<String>> blocked) {
        this.nanoTime = nanoTime;
        this.news = news;
        this.accounts = accounts;
        this.blocked = blocked;
    }

    private static final class PoolStock {
        /** The oldest first. */
        private final List<Lease> leases = new ArrayList<>();

        private final Map<LimitKind, TreeMap<Long, ChargeCorrection>> corrections = new EnumMap<>(LimitKind.class);
        /** What answers have shown of others, the newest. */
        private final Map<LimitKind, OthersUse> others = new EnumMap<>(LimitKind.class);
        /** Corrections on their way: whether PostgreSQL has them is not known until it answers. */
        private List<ChargeCorrection> sent = List.of();

        private long number;
        /** Whether a wish of this worker may be on record. */
        private boolean isTold;

        private final UnitPace pace;

        private PoolStock(long now) {
            pace = new UnitPace(now);
        }

        private boolean isEmpty() {
            return leases.isEmpty()
                    && corrections.isEmpty()
                    && others.isEmpty()
                    && sent.isEmpty()
                    && !isTold
                    && pace.isStill();
        }

        private boolean hasNews() {
            return !corrections.isEmpty() || !sent.isEmpty() || !others.isEmpty();
        }

        private void correct(ChargeCorrection correction) {
            corrections
                    .computeIfAbsent(correction.kind(), _ -> new TreeMap<>())
                    .merge(correction.slot(), correction, ChargeCorrection::and);
        }
    }

    /** Units of one grant. What is not used in time is returned. */
    private static final class Lease {
        private final long askedAt;
        private final Map<LimitKind, Charging> limits;
        private final Map<LimitKind, Long> left = new EnumMap<>(LimitKind.class);

        /** @param requests those that were granted */
        private Lease(long askedAt, Map<LimitKind, Charging> limits, List<Units> requests) {
            this.askedAt = askedAt;
            this.limits = limits;
            limits.forEach((kind, charging) -> left.put(
                    kind,
                    requests.stream()
                            .mapToLong(request -> charge(request, kind, charging))
                            .sum()));
        }

        private static long charge(Units request, LimitKind kind, Charging charging) {
            return Math.min(request.of(kind), charging.limit());
        }

        private Map<LimitKind, Long> charges(Units request) {
            Map<LimitKind, Long> charges = new EnumMap<>(LimitKind.class);
            limits.forEach((kind, charging) -> charges.put(kind, charge(request, kind, charging)));
            return charges;
        }

        private boolean covers(Map<LimitKind, Long> charges, Map<LimitKind, Long> of) {
            return charges.entrySet().stream()
                    .allMatch(charge -> of.getOrDefault(charge.getKey(), 0L) >= charge.getValue());
        }

        private static void deduct(Map<LimitKind, Long> charges, Map<LimitKind, Long> from) {
            charges.forEach((kind, charge) -> from.merge(kind, -charge, Long::sum));
        }
    }

    /** The pools that a group has with the accounts that can be asked now. */
    private List<ModelPool> pools(ModelPool group, Set<String> without) {
        Set<String> shut = blocked.apply(group);
        return accounts.usable(group.provider(), without).stream()
                .filter(account -> !shut.contains(account))
                .map(account -> new ModelPool(group.provider(), account, group.models()))
                .toList();
    }

    /**
     * Takes the units of a request, of whichever account has some; null: they are not there.
     *
     * @param group the pool, of no account
     * @param without names of keys that it cannot use where there are others
     */
    synchronized @Nullable TakenUnits take(ModelPool group, Set<String> without, Units request) {
        for (ModelPool pool : pools(group, without)) {
            PoolStock stock = pools.get(pool);
            TakenUnits taken = stock == null ? null : take(pool, stock, request);
            if (taken != null) {
                return taken;
            }
        }
        return null;
    }

    private @Nullable TakenUnits take(ModelPool pool, PoolStock stock, Units request) {
        expire(stock);
        for (Lease lease : stock.leases) {
            Map<LimitKind, Long> charges = lease.charges(request);
            if (lease.covers(charges, lease.left)) {
                Lease.deduct(charges, lease.left);
                stock.pace.taken();
                charges.forEach((kind, units) -> spent.add(pool.provider(), kind, units));
                Map<LimitKind, TakenUnits.Charge> taken = new EnumMap<>(LimitKind.class);
                lease.limits.forEach((kind, charging) ->
                        taken.put(kind, new TakenUnits.Charge(charges.getOrDefault(kind, 0L), charging)));
                return new TakenUnits(this, pool, request, taken, lease.askedAt);
            }
        }
        return null;
    }

    private void expire(PoolStock stock) {
        Iterator<Lease> leases = stock.leases.iterator();
        while (leases.hasNext()) {
            Lease lease = leases.next();
            boolean isUsedUp = lease.left.values().stream().allMatch(left -> left == 0);
            if (isUsedUp || !isFresh(lease.askedAt)) {
                lease.left.forEach((kind, left) -> returned(stock, lease, kind, left));
                leases.remove();
            }
        }
    }

    private PoolStock unused(ModelPool pool) {
        return new PoolStock(nanoTime.getAsLong());
    }

    private static void returned(PoolStock stock, Lease lease, LimitKind kind, long left) {
        Charging charging = lease.limits.get(kind);
        if (left > 0 && charging != null) {
            stock.correct(new ChargeCorrection(kind, charging.slot(), left, 0));
        }
    }

    /** Whether units may still be used that were asked for then. */
    boolean isFresh(long askedAt) {
        return nanoTime.getAsLong() - askedAt < UnitLease.TIME.toNanos();
    }

    /** Puts a charge right with the next exchange. */
    synchronized void correct(ModelPool pool, ChargeCorrection correction) {
        spent.add(pool.provider(), correction.kind(), correction.owed() - correction.returned());
        pools.computeIfAbsent(pool, this::unused).correct(correction);
    }

    /** An answer shows what is left of a limit. Of answers to requests that were sent in one state one is told: that which shows most. */
    synchronized void heard(ModelPool pool, OthersUse use) {
        pools.computeIfAbsent(pool, this::unused)
                .others
                .merge(
                        use.kind(),
                        use,
                        (one, other) -> Stream.of(one, other)
                                .max(Comparator.comparing(OthersUse::seenAt).thenComparingLong(OthersUse::missing))
                                .orElseThrow());
    }

    /** Units that requests of this worker were charged, without those that came back. */
    long spent(String provider, LimitKind kind) {
        return spent.of(provider, kind);
    }

    /**
     * How many requests of a group, of those that have no room yet, need units before the next exchange. A pool that had not enough for
     * what could go gives none ahead: others need them now.
     */
    synchronized int soon(ModelPool group) {
        long now = nanoTime.getAsLong();
        return pools(group, Set.of()).stream()
                .filter(pool -> !isShort(pool))
                .flatMap(pool -> Stream.ofNullable(pools.get(pool)))
                .mapToInt(stock -> stock.pace.soon(now))
                .sum();
    }

    /** A request waits for units. Where others know that this worker waits, it is told with the next exchange. */
    synchronized void isMissing(ModelPool group) {
        boolean isTold = pools(group, Set.of()).stream().allMatch(this::isShort);
        if (!isTold) {
            news.run();
        }
    }

    /** Whether a pool had not enough when it was last asked, so that a wish is on record there. */
    private boolean isShort(ModelPool pool) {
        PoolStock stock = pools.get(pool);
        return stock != null && stock.isTold;
    }

    /**
     * What waits for units of a pool.
     *
     * @param ready requests that could go now but for units, in their turns, and those that follow soon
     * @param isUrgent whether the first is of an evaluation
     * @param all the number of all that wait
     */
    record Waiting(List<Units> ready, boolean isUrgent, int all) {

        static final Waiting NONE = new Waiting(List.of(), false, 0);
    }

    /** What is to be said to each pool; nothing to those that need nothing. */
    synchronized Map<ModelPool, UnitRequest> requests(Map<ModelPool, Waiting> waiting) {
        long now = nanoTime.getAsLong();
        pools.values().forEach(stock -> {
            expire(stock);
            stock.pace.mark(now);
        });
        pools.values().removeIf(PoolStock::isEmpty);
        Map<ModelPool, Waiting> byPool = new HashMap<>();
        waiting.forEach((group, here) -> byPool.putAll(shared(group, here)));
        byPool.keySet().forEach(pool -> pools.computeIfAbsent(pool, this::unused));
        Map<ModelPool, UnitRequest> requests = new LinkedHashMap<>();
        pools.forEach((pool, stock) -> {
            Waiting here = byPool.getOrDefault(pool, Waiting.NONE);
            if (!here.ready().isEmpty() || stock.hasNews() || stock.isTold) {
                requests.put(pool, request(stock, here));
            }
        });
        return requests;
    }

    /**
     * What waits in a group, shared among its accounts. A request is asked for in one account, in their turns. What an account did not
     * give is asked for in another, too: whichever gives first is used.
     */
    private Map<ModelPool, Waiting> shared(ModelPool group, Waiting waiting) {
        List<ModelPool> all = pools(group, Set.of());
        List<String> able = all.stream()
                .filter(pool -> !isShort(pool))
                .map(ModelPool::account)
                .toList();
        Map<String, List<Units>> asked = new LinkedHashMap<>();
        for (Units request : uncovered(all, waiting.ready())) {
            String turn = able.isEmpty() ? null : accounts.next(group.provider(), able);
            all.stream()
                    .map(ModelPool::account)
                    .filter(account -> account.equals(turn) || !able.contains(account))
                    .forEach(account -> asked.computeIfAbsent(account, _ -> new ArrayList<>())
                            .add(request));
        }
        Map<ModelPool, Waiting> shared = new LinkedHashMap<>();
        for (ModelPool pool : all) {
            List<Units> here = asked.getOrDefault(pool.account(), List.of());
            shared.put(pool, new Waiting(here, waiting.isUrgent(), waiting.all()));
        }
        return shared;
    }

    private UnitRequest request(PoolStock stock, Waiting waiting) {
        if (stock.sent.isEmpty() && !stock.corrections.isEmpty()) {
            List<ChargeCorrection> all = new ArrayList<>();
            stock.corrections.values().forEach(slots -> all.addAll(slots.values()));
            stock.sent = all;
            stock.number = ++number;
            stock.corrections.clear();
        }
        return new UnitRequest(
                waiting.ready(),
                waiting.isUrgent(),
                waiting.all(),
                stock.number,
                stock.sent,
                List.copyOf(stock.others.values()));
    }

    /** The requests for which no units are there in any of the pools. */
    private List<Units> uncovered(Collection<ModelPool> among, List<Units> ready) {
        List<Lease> leases = among.stream()
                .flatMap(pool -> Stream.ofNullable(pools.get(pool)))
                .flatMap(stock -> stock.leases.stream())
                .toList();
        List<Map<LimitKind, Long>> left = new ArrayList<>();
        leases.forEach(lease -> left.add(new EnumMap<>(lease.left)));
        List<Units> uncovered = new ArrayList<>();
        for (Units request : ready) {
            boolean isCovered = false;
            for (int i = 0; i < left.size() && !isCovered; i++) {
                Lease lease = leases.get(i);
                Map<LimitKind, Long> charges = lease.charges(request);
                isCovered = lease.covers(charges, left.get(i));
                if (isCovered) {
                    Lease.deduct(charges, left.get(i));
                }
            }
            if (!isCovered) {
                uncovered.add(request);
            }
        }
        return uncovered;
    }

    /** @param askedAt before the requests were sent, by the monotonic clock */
    synchronized void answered(Map<ModelPool, UnitRequest> requests, Map<ModelPool, UnitAnswer> answers, long askedAt) {
        answers.forEach((pool, answer) -> {
            List<Units> asked = requests.getOrDefault(pool, NOTHING).requests();
            PoolStock stock = pools.computeIfAbsent(pool, this::unused);
            stock.sent = List.of();
            requests.getOrDefault(pool, NOTHING).others().forEach(told -> stock.others.remove(told.kind(), told));
            boolean wasTold = stock.isTold;
            stock.isTold = answer.granted() < asked.size();
            if (stock.isTold && !wasTold && pools(pool, Set.of()).size() > 1) {
                // Another account may have what this one had not.
                news.run();
            }
            if (answer.granted() > 0) {
                stock.leases.add(new Lease(askedAt, answer.limits(), asked.subList(0, answer.granted())));
            }
        });
        pools.values().removeIf(PoolStock::isEmpty);
    }

    private static final UnitRequest NOTHING = new UnitRequest(List.of(), false, 0, 0, List.of());
}
