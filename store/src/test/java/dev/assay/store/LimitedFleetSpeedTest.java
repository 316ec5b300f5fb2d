package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.limit.ModelPool;
import dev.assay.domain.limit.Units;
import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.domain.provider.LimitsInfo;
import dev.assay.domain.provider.ProviderInfo;
import dev.assay.store.limit.ThrottleReport;
import dev.assay.store.limit.ThrottleRepository;
import dev.assay.store.limit.UnitRepository;
import dev.assay.store.limit.UnitRequest;
import dev.assay.store.permit.PermitRepository;
import dev.assay.store.worker.WorkerRepository;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The exchange of 16 workers that all spend units of 20 pools; {@code benchmarks/governor/exchanges} runs it. */
@EnabledIfSystemProperty(named = "assay.fleet", matches = "true")
final class LimitedFleetSpeedTest {

    private static final int WORKERS = 16;
    private static final int POOLS = 20;
    private static final double MOST_MS = 10;

    private static final List<ModelPool> ALL = IntStream.range(0, POOLS)
            .mapToObj(i -> new ModelPool("openai", ModelPool.DEFAULT_ACCOUNT, "m" + i))
            .toList();

    /** The statements of a worker's turn, with the milliseconds that each kind took. */
    private static final class Turn implements Runnable {
        private final StoreFixture store;
        private final String worker;
        private final Map<String, Queue<Double>> millis;
        private long number;

        private Turn(StoreFixture store, int number, Map<String, Queue<Double>> millis) {
            this.store = store;
            this.worker = "w" + number;
            this.millis = millis;
        }

        private void timed(String what, Runnable statement) {
            long before = System.nanoTime();
            statement.run();
            millis.computeIfAbsent(what, _ -> new ConcurrentLinkedQueue<>()).add((System.nanoTime() - before) / 1e6);
        }

        @Override
        public void run() {
            number++;
            Map<ModelPool, ThrottleReport> reports = new HashMap<>();
            Map<ModelPool, UnitRequest> requests = new HashMap<>();
            for (ModelPool pool : ALL) {
                reports.put(pool, ThrottleReport.NONE);
                requests.put(
                        pool,
                        new UnitRequest(
                                Collections.nCopies(10, Units.ofRequest(100, 20)), false, 10, number, List.of()));
            }
            PermitAsk ask = new PermitAsk(0, new PermitWish(number % 4 < 2 ? 8 : 16, 0));
            timed("refusals", () -> store.get(ThrottleRepository.class).exchange(worker, reports));
            timed(
                    "permits",
                    () -> store.get(PermitRepository.class)
                            .exchange(worker, Map.of(PermitPool.provider("openai"), ask)));
            timed("units", () -> store.get(UnitRepository.class).exchange(worker, requests));
        }
    }

    private static void register(StoreFixture store) {
        List<LimitsInfo> limits = ALL.stream()
                .map(pool -> new LimitsInfo(
                        pool.models(), Map.of("requestsPerMinute", 60_000L, "tokensPerMinute", 9_000_000L), 2, null))
                .toList();
        ProviderInfo openai = new ProviderInfo("openai", null, true, null, 400, 4_096, Map.of(), limits);
        for (int i = 0; i < WORKERS; i++) {
            store.get(WorkerRepository.class)
                    .register(new WorkerRepository.Worker("w" + i, "host", 1, "test", List.of(), List.of(openai)));
        }
    }

    @Test
    void shouldGrantUnitsOfTwentyPoolsToSixteenWorkersWithinTenMilliseconds() throws InterruptedException {
        try (StoreFixture store = StoreFixture.open(Map.of("datasources.default.maximum-pool-size", WORKERS))) {
            register(store);
            Map<String, Queue<Double>> millis = new ConcurrentHashMap<>();
            Fleet.run(
                    IntStream.range(0, WORKERS)
                            .mapToObj(i -> new Turn(store, i, millis))
                            .toList(),
                    millis::clear);

            Map<String, Double> p95 = new TreeMap<>();
            millis.forEach((what, all) -> p95.put(what, reported(what, all)));
            assertThat(p95.values()).as(p95.toString()).hasSize(3).allMatch(one -> one <= MOST_MS);
        }
    }

    /** Prints the times of one kind; answers with p95 in milliseconds. */
    private static double reported(String what, Collection<Double> all) {
        double[] sorted = all.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double p95 = sorted[sorted.length * 95 / 100];
        System.out.printf(
                "FLEET %d workers, %d pools, %s: %d exchanges, p50 %.1f ms, p95 %.1f ms, most %.1f ms%n",
                WORKERS, POOLS, what, sorted.length, sorted[sorted.length / 2], p95, sorted[sorted.length - 1]);
        return p95;
    }
}
