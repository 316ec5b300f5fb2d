package dev.assay.activities.permit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.LimitKind;
import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.PoolSpending;
import dev.assay.domain.limit.UnitAsk;
import dev.assay.domain.limit.UnitGrant;
import dev.assay.domain.limit.UnitWish;
import dev.assay.domain.limit.Units;
import dev.assay.domain.limit.WorkerTurn;
import dev.assay.domain.limit.size.CountingRules;
import dev.assay.domain.limit.size.OutputCounting;
import dev.assay.domain.usage.Usage;
import dev.assay.store.limit.UnitAnswer;
import dev.assay.store.limit.UnitRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The stocks of several workers over three minutes, in steps of 10 ms: answers of the pool come late or never, workers stand still,
 * die and join, requests are given up, answers cost less than was charged. Is any window of a minute too full?
 */
final class UnitSimulationTest {

    private static final int STEP_MS = 10;
    private static final int END_MS = 200_000;
    private static final int WINDOW_MS = 60_000;
    private static final ModelPool POOL = new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "m");
    private static final CountingRules RULES = new CountingRules(OutputCounting.ASKED, true);

    private final Map<LimitKind, Long> limits = new LinkedHashMap<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Map<String, Long> lastServed = new HashMap<>();
    private Random random = new Random();
    private long now;
    private int joined;
    private boolean isQuiet;

    /** A request that came to its provider. */
    private record Arrival(long at, Units units) {}

    /** What PostgreSQL does, as its repository. */
    private final class Pool {
        private PoolSpending spending = new PoolSpending(Map.of());
        private final Map<String, UnitWish> wishes = new HashMap<>();
        private final Map<String, Long> toldAt = new HashMap<>();
        private final Map<String, Long> servedAt = new HashMap<>();
        private final Map<String, Long> corrected = new HashMap<>();

        UnitAnswer exchange(String worker, UnitRequest request) {
            spending = PoolSpending.at(Instant.ofEpochMilli(now), spending.limits(), limits, 2);
            if (request.number() > corrected.getOrDefault(worker, 0L)) {
                spending = spending.corrected(request.corrections());
                corrected.put(worker, request.number());
            }
            WorkerTurn turn = turn(worker, request.isUrgent());
            UnitGrant grant = spending.grant(new UnitAsk(turn, request.requests()), others(worker));
            spending = spending.spent(grant);
            if (grant.granted() > 0) {
                servedAt.put(worker, now);
                lastServed.put(worker, now);
            }
            toldAt.put(worker, now);
            wishes.remove(worker);
            if (grant.granted() < request.requests().size()) {
                Units head = request.requests().get(grant.granted());
                wishes.put(worker, new UnitWish(turn(worker, request.isUrgent()), head, Duration.ZERO));
            }
            Map<LimitKind, UnitAnswer.Charging> charging = new HashMap<>();
            spending.limits().forEach((kind, one) -> charging.put(kind, UnitAnswer.Charging.of(one)));
            return new UnitAnswer(grant.granted(), charging);
        }

        private WorkerTurn turn(String worker, boolean isUrgent) {
            return new WorkerTurn(
                    worker, isUrgent, Duration.ofMillis(now - servedAt.computeIfAbsent(worker, _ -> now)));
        }

        private List<UnitWish> others(String worker) {
            return wishes.entrySet().stream()
                    .filter(wish -> !wish.getKey().equals(worker))
                    .map(wish -> new UnitWish(
                            turn(wish.getKey(), wish.getValue().turn().isUrgent()),
                            wish.getValue().head(),
                            Duration.ofMillis(now - toldAt.getOrDefault(wish.getKey(), 0L))))
                    .toList();
        }
    }

    private final Pool pool = new Pool();

    private record Late(long at, Runnable what) {}

    private final class SimulatedWorker {
        private final String id = "worker-" + joined++;
        private final UnitStock stock = new UnitStock(() -> now * 1_000_000, () -> {}, Accounts.ONE, _ -> Set.of());
        private final Deque<Units> queue = new ArrayDeque<>();
        private final PriorityQueue<Late> late = new PriorityQueue<>(Comparator.comparingLong(Late::at));
        private long nextAsk = now + random.nextInt(250);
        private long asleepUntil;

        void step() {
            if (asleepUntil > now) {
                return;
            }
            while (queue.size() < 40) {
                queue.add(Units.ofRequest(random.nextInt(1, largest()), random.nextInt(largest())));
            }
            while (!late.isEmpty() && late.element().at() <= now) {
                late.remove().what().run();
            }
            if (now >= nextAsk) {
                nextAsk = now + 250 + random.nextInt(40);
                exchange();
            }
            TakenUnits taken = stock.take(POOL, Set.of(), queue.element());
            while (taken != null) {
                taken(taken, queue.remove());
                taken = queue.isEmpty() ? null : stock.take(POOL, Set.of(), queue.element());
            }
        }

        private void exchange() {
            long askedAt = now * 1_000_000;
            Map<ModelPool, UnitRequest> requests = stock.requests(
                    Map.of(POOL, new UnitStock.Waiting(List.copyOf(queue), !isQuiet && id.endsWith("3"), 40)));
            if (!happens(0.02)) {
                Map<ModelPool, UnitAnswer> answers = new HashMap<>();
                requests.forEach((pools, request) -> answers.put(pools, pool.exchange(id, request)));
                // An answer that never comes: what was granted is charged.
                if (!happens(0.02)) {
                    int delay = happens(0.02) ? random.nextInt(2_000) : random.nextInt(60);
                    late.add(new Late(now + delay, () -> stock.answered(requests, answers, askedAt)));
                }
            }
        }

        private void taken(TakenUnits taken, Units request) {
            if (happens(0.03)) {
                taken.giveBack();
            } else {
                // It writes its row before it is sent.
                late.add(new Late(now + random.nextInt(happens(0.02) ? 3_000 : 30), () -> send(taken, request)));
            }
        }

        private void send(TakenUnits taken, Units request) {
            if (!taken.areFresh()) {
                taken.giveBack();
                queue.addFirst(request);
                return;
            }
            // It turns out to be smaller than it was charged.
            long input = request.input() - random.nextLong(request.input() / 2 + 1);
            arrivals.add(new Arrival(now + random.nextInt(500), Units.ofRequest(input, request.output())));
            Usage usage = new Usage(input, request.output() / 2, 0L, 0L, 0L, null);
            late.add(new Late(now + random.nextInt(5_000), () -> taken.answered(RULES, usage)));
        }
    }

    /** Large requests wait for room, which stays unused meanwhile. */
    private int largest() {
        long tokens = limits.getOrDefault(LimitKind.TOKENS_PER_MINUTE, 60_000L);
        return isQuiet ? Math.toIntExact(Math.min(1_000, tokens / 100)) : 1_000;
    }

    private boolean happens(double probability) {
        return !isQuiet && random.nextDouble() < probability;
    }

    private void somethingHappens() {
        if (happens(0.000_5) && workers.size() > 1) {
            workers.remove(random.nextInt(workers.size()));
        }
        if (happens(0.000_5) && workers.size() < 8) {
            workers.add(new SimulatedWorker());
        }
        if (happens(0.001)) {
            workers.get(random.nextInt(workers.size())).asleepUntil = now + random.nextInt(500, 30_000);
        }
    }

    private void run(long seed) {
        random = new Random(seed);
        limits.put(LimitKind.REQUESTS_PER_MINUTE, (long) new int[] {20, 120, 1_200}[random.nextInt(3)]);
        if (random.nextBoolean()) {
            limits.put(LimitKind.TOKENS_PER_MINUTE, (long) new int[] {1_000, 60_000, 600_000}[random.nextInt(3)]);
        }
        for (int i = 0; i < 4; i++) {
            workers.add(new SimulatedWorker());
        }
        for (now = 1_000_000; now < 1_000_000 + END_MS; now += STEP_MS) {
            somethingHappens();
            List.copyOf(workers).forEach(SimulatedWorker::step);
        }
    }

    /** The fullest minute as a part of the limit. */
    private double fullest(Map.Entry<LimitKind, Long> limit) {
        List<Arrival> sorted =
                arrivals.stream().sorted(Comparator.comparingLong(Arrival::at)).toList();
        double fullest = 0;
        long sum = 0;
        int first = 0;
        for (Arrival arrival : sorted) {
            sum += charge(arrival, limit);
            while (sorted.get(first).at() <= arrival.at() - WINDOW_MS) {
                sum -= charge(sorted.get(first++), limit);
            }
            fullest = Math.max(fullest, (double) sum / limit.getValue());
        }
        return fullest;
    }

    /** One that is larger than the limit is alone in its minute. */
    private static long charge(Arrival arrival, Map.Entry<LimitKind, Long> limit) {
        return Math.min(arrival.units().of(limit.getKey()), limit.getValue());
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldFillNoWindowTooMuchWhenWorkersAndAnswersFail(long seed) {
        run(seed);

        assertThat(arrivals).as("arrivals of seed %d", seed).isNotEmpty();
        assertThat(limits.entrySet())
                .allSatisfy(
                        limit -> assertThat(fullest(limit)).as(limit.toString()).isLessThanOrEqualTo(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldUseTheLimitAndServeEveryWorkerWhenNothingFails(long seed) {
        isQuiet = true;
        run(seed);

        assertThat(limits.entrySet().stream().mapToDouble(this::fullest).max().orElseThrow())
                .isBetween(0.8, 1.0);
        Collection<String> all = workers.stream().map(worker -> worker.id).toList();
        assertThat(lastServed).containsOnlyKeys(all);
    }
}
