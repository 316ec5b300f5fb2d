package dev.assay.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.permit.PermitAsk;
import dev.assay.domain.permit.PermitGrant;
import dev.assay.domain.permit.PermitPool;
import dev.assay.domain.permit.PermitWish;
import dev.assay.store.permit.PermitRepository;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The exchange of permits of a hundred workers among what years left behind; {@code benchmarks/fleet/exchanges} runs it. */
@EnabledIfSystemProperty(named = "assay.fleet", matches = "true")
final class FleetSpeedTest {

    private static final int CAMPAIGNS = Integer.getInteger("assay.fleet.campaigns", 200_000);
    private static final int WORKERS = Integer.getInteger("assay.fleet.workers", 100_000);
    private static final double MOST_MS = 250;

    /** A worker that calls with all that it holds, and asks as {@code PermitExchange} does. Each second time it wants more, or less. */
    private static final class Asking implements Runnable {
        private final PermitRepository permits;
        private final String worker;
        private final List<PermitPool> pools;
        private final Queue<Double> millis;
        private final Map<PermitPool, Integer> held = new HashMap<>();
        private int times;

        private Asking(PermitRepository permits, int number, Queue<Double> millis) {
            this.permits = permits;
            this.worker = "live-" + number;
            this.pools = List.of(PermitPool.campaign("live-" + number), PermitPool.provider("openai"));
            this.millis = millis;
        }

        @Override
        public void run() {
            PermitWish wish = new PermitWish(++times % 4 < 2 ? 8 : 16, 0);
            Map<PermitPool, PermitAsk> asks = new HashMap<>();
            pools.forEach(pool -> asks.put(pool, new PermitAsk(held.getOrDefault(pool, 0), wish)));
            long before = System.nanoTime();
            Map<PermitPool, PermitGrant> grants = permits.exchange(worker, asks);
            millis.add((System.nanoTime() - before) / 1e6);
            grants.forEach((pool, grant) -> held.put(pool, grant.usable()));
        }
    }

    @Test
    void shouldAnswerAHundredWorkersAmongAllThatHasEnded() throws InterruptedException {
        try (StoreFixture store =
                StoreFixture.open(Map.of("datasources.default.maximum-pool-size", GeneratedTables.LIVE))) {
            new GeneratedTables(CAMPAIGNS, WORKERS, CAMPAIGNS, 1).fill(store);
            Queue<Double> millis = new ConcurrentLinkedQueue<>();
            PermitRepository permits = store.get(PermitRepository.class);
            Fleet.run(
                    IntStream.rangeClosed(1, GeneratedTables.LIVE)
                            .mapToObj(number -> new Asking(permits, number, millis))
                            .toList(),
                    millis::clear);
            double[] sorted =
                    millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();

            double p99 = sorted[sorted.length * 99 / 100];
            System.out.printf(
                    "FLEET %,d campaigns, %,d workers that have ended: %.0f exchanges/s, p50 %.1f ms, p99 %.1f ms%n",
                    CAMPAIGNS,
                    WORKERS,
                    sorted.length / (double) Fleet.MEASURED.toSeconds(),
                    sorted[sorted.length / 2],
                    p99);
            assertThat(p99).isLessThanOrEqualTo(MOST_MS);
        }
    }
}
