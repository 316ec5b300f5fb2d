package dev.assay.domain.permit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workers that join, die, lose PostgreSQL and come back, with clocks of their own for when they ask; everything that happens in a
 * pool over ten minutes, in steps of 10 ms.
 */
@Tag("slow")
class PermitSimulationTest {

    private static final int STEP_MS = 10;
    private static final int END_MS = 600_000;
    private static final int QUIET_FROM_MS = 520_000;
    private static final int SETTLED_MS = 565_000;
    private static final int ASK_EVERY_MS = 250;
    private static final int RENEW_EVERY_MS = 5_000;
    private static final int LEASE_MS = 30_000;
    private static final int SAFE_MS = 25_000;

    /** What PostgreSQL knows of a worker. */
    private static final class Row {
        private int leaseUntil;
        private int granted = -1;
        private PermitWish wish = PermitWish.NONE;
        private int since;
    }

    private final TreeMap<String, Row> rows = new TreeMap<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private Random random = new Random();
    private int size = 40;
    private int now;
    private int joined;

    /** A worker: calls in flight by their end, and cells that wait. */
    private final class SimulatedWorker {
        private final String id = "worker-" + joined++;
        private final List<Integer> calls = new ArrayList<>();
        private int waiting = random.nextInt(100);
        private int usable;
        private int nextAsk = now + random.nextInt(ASK_EVERY_MS);
        private int nextRenewal = now;
        private int renewedAt = now;
        private int awayUntil;
        private PermitAsk asked = PermitAsk.NOTHING;
        private int answerAt = -1;

        boolean reaches() {
            return now >= awayUntil;
        }

        boolean safe() {
            return now - renewedAt < SAFE_MS;
        }

        int held() {
            return Math.max(usable, calls.size());
        }

        void step() {
            calls.removeIf(end -> end <= now);
            if (!safe()) {
                // From now on others may get what it holds.
                usable = 0;
                calls.clear();
            }
            renew();
            exchange();
            if (now < QUIET_FROM_MS && random.nextInt(100) == 0) {
                waiting = random.nextInt(100);
            }
            // A call needs its row in the ledger.
            while (reaches() && waiting > 0 && calls.size() < usable) {
                waiting--;
                calls.add(now + STEP_MS * random.nextInt(1, 100));
            }
            if (now >= QUIET_FROM_MS) {
                waiting = 50;
            }
        }

        private void renew() {
            if (now >= nextRenewal && reaches()) {
                rows.computeIfAbsent(id, unknown -> new Row()).leaseUntil = now + LEASE_MS;
                renewedAt = now;
                nextRenewal = now + RENEW_EVERY_MS;
            }
        }

        /** Asks, and hears the answer some steps later: cells begin and end meanwhile. */
        private void exchange() {
            if (answerAt >= 0 && now >= answerAt) {
                answerAt = -1;
                if (reaches() && safe()) {
                    usable = answer(this).usable();
                }
            } else if (answerAt < 0 && now >= nextAsk) {
                nextAsk = now + ASK_EVERY_MS;
                int wanted = calls.size() + waiting;
                int urgent = now < QUIET_FROM_MS ? random.nextInt(wanted + 1) : 0;
                asked = new PermitAsk(held(), new PermitWish(wanted, urgent));
                answerAt = now + STEP_MS * random.nextInt(3);
            }
        }
    }

    private PermitGrant answer(SimulatedWorker worker) {
        rows.values().stream().filter(row -> row.leaseUntil <= now).forEach(row -> row.granted = -1);
        PermitGrant grant = PermitGrant.of(size, leases(), worker.id, worker.asked);
        Row row = rows.computeIfAbsent(worker.id, unknown -> new Row());
        if (row.granted < 0 || row.granted > 0 != grant.granted() > 0) {
            row.since = now;
        }
        row.granted = grant.granted();
        row.wish = worker.asked.wish();
        return grant;
    }

    private List<PermitLease> leases() {
        return rows.entrySet().stream()
                .filter(row -> row.getValue().granted >= 0)
                .map(row -> lease(row.getKey(), row.getValue()))
                .toList();
    }

    private PermitLease lease(String worker, Row row) {
        return new PermitLease(worker, row.granted, row.wish, Duration.ofMillis(now - row.since));
    }

    private int recorded() {
        return leases().stream().mapToInt(PermitLease::granted).sum();
    }

    private int inFlight() {
        return workers.stream().mapToInt(worker -> worker.calls.size()).sum();
    }

    /** Somebody joins, dies, or loses PostgreSQL for 20 s (its lease holds) or 40 s (it does not); the pool changes. */
    private void somethingHappens() {
        switch (random.nextInt(5)) {
            case 0 -> workers.add(new SimulatedWorker());
            case 1 -> {
                if (workers.size() > 1) {
                    workers.remove(random.nextInt(workers.size()));
                }
            }
            case 2 -> workers.get(random.nextInt(workers.size())).awayUntil = now + 20_000;
            case 3 -> workers.get(random.nextInt(workers.size())).awayUntil = now + 40_000;
            default -> size = random.nextInt(1, random.nextBoolean() ? 80 : 5);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldNeverBeAboveThePoolNorLeaveAPermitIdle(long seed) {
        random = new Random(seed);
        workers.add(new SimulatedWorker());
        int recordedBefore = 0;
        long idle = 0;
        Set<String> served = new TreeSet<>();
        for (now = 0; now < END_MS; now += STEP_MS) {
            if (now < QUIET_FROM_MS && random.nextInt(500) == 0) {
                somethingHappens();
            }
            workers.forEach(SimulatedWorker::step);

            // A pool that was made smaller shrinks as calls end, and nobody gets more of it meanwhile.
            assertThat(recorded()).isLessThanOrEqualTo(Math.max(size, recordedBefore));
            assertThat(inFlight()).isLessThanOrEqualTo(recorded());
            recordedBefore = recorded();
            if (now >= SETTLED_MS) {
                idle += size - inFlight();
                workers.stream().filter(worker -> !worker.calls.isEmpty()).forEach(worker -> served.add(worker.id));
            }
        }
        // Where there are too few permits for all workers, each is handed on about once a second.
        double mostIdle = size < workers.size() ? 0.35 : 0;
        assertThat(idle).isLessThanOrEqualTo((long) (mostIdle * size * (END_MS - SETTLED_MS) / STEP_MS));
        assertThat(served).hasSameSizeAs(workers);
    }
}
