package dev.assay.domain.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random fleets: workers that use their units up to the last millisecond, pause, die and come back; PostgreSQL goes away, and its
 * clock back; limits change. Is any window of a minute too full?
 */
class UnitFleetTest {

    private static final int END_MS = 200_000;
    private static final int ASK_EVERY_MS = 250;
    private static final int WINDOW_MS = 60_000;
    private static final int LATEST_MS = 1_500;

    /** What a charge counts beyond the window: a limit that was lowered holds for all windows from then on. */
    private static final int HELD_MS = 62_000;

    /** A request that came to its provider. */
    private record Arrival(long at, Units units) {}

    /** A time at which a worker asks. */
    private record Turn(long at, int worker) {}

    /** Everything that happens in one pool. */
    private static final class Fleet {
        private final Random random;
        private final int workers;
        private final int largest;
        private final Map<LimitKind, Spending> pool = new EnumMap<>(LimitKind.class);
        private final Map<LimitKind, TreeMap<Long, Long>> limits = new EnumMap<>(LimitKind.class);
        private final Map<Integer, UnitWish> wishes = new HashMap<>();
        private final Map<Integer, Long> wishedAt = new HashMap<>();
        private final Map<Integer, Long> servedAt = new HashMap<>();
        private final Map<Integer, Long> asleepUntil = new HashMap<>();
        private final List<Arrival> arrivals = new ArrayList<>();
        private long databaseAwayUntil;
        private long clockBack;

        Fleet(long seed) {
            random = new Random(seed);
            workers = pick(1, 2, 5, 12);
            int limit = pick(3, 20, 60, 600, 3_000);
            largest = Math.max(1, 100 * limit / pick(2, 3, 10, 50));
            int burst = pick(1, 2, 60, 60);
            boolean countsRequests = random.nextBoolean();
            if (countsRequests) {
                start(LimitKind.REQUESTS_PER_MINUTE, limit, burst);
            }
            if (!countsRequests || random.nextBoolean()) {
                start(LimitKind.TOKENS_PER_MINUTE, 100L * limit, burst);
            }
        }

        private void start(LimitKind kind, long limit, int burst) {
            pool.put(kind, Spending.none(kind, limit, burst, Instant.EPOCH));
            limits.put(kind, new TreeMap<>(Map.of(0L, limit)));
        }

        private int pick(int... values) {
            return values[random.nextInt(values.length)];
        }

        private boolean happens(double probability) {
            return random.nextDouble() < probability;
        }

        void run() {
            PriorityQueue<Turn> turns =
                    new PriorityQueue<>(Comparator.comparingLong(Turn::at).thenComparingInt(Turn::worker));
            for (int worker = 0; worker < workers; worker++) {
                turns.add(new Turn(random.nextInt(ASK_EVERY_MS), worker));
            }
            for (Turn turn = turns.remove(); turn.at() <= END_MS; turn = turns.remove()) {
                turns.add(new Turn(turn.at() + ASK_EVERY_MS + random.nextInt(40), turn.worker()));
                somethingHappens(turn);
                boolean asleep = asleepUntil.getOrDefault(turn.worker(), 0L) > turn.at();
                if (!asleep && databaseAwayUntil <= turn.at() && !happens(0.02)) {
                    exchange(turn);
                }
            }
            arrivals.sort(Comparator.comparingLong(Arrival::at));
        }

        private void somethingHappens(Turn turn) {
            if (happens(0.002)) {
                asleepUntil.put(turn.worker(), turn.at() + random.nextInt(500, 30_000));
            }
            if (happens(0.001)) {
                clockBack -= random.nextInt(5_000);
            }
            if (happens(0.000_3)) {
                databaseAwayUntil = turn.at() + random.nextInt(60_000);
            }
            if (happens(0.001)) {
                pool.replaceAll((kind, spending) -> {
                    long limit = Math.max(1, spending.limit() * pick(1, 2, 4) / pick(1, 2, 4));
                    limits.get(kind).put(turn.at(), limit);
                    return spending.withLimit(limit, spending.burstSeconds());
                });
            }
        }

        private void exchange(Turn turn) {
            int delay = random.nextInt(1, 60);
            Instant now = Instant.ofEpochMilli(Math.max(0, turn.at() + delay + clockBack));
            pool.replaceAll((kind, spending) -> spending.at(now));
            List<Units> requests = requests();
            UnitGrant grant = UnitGrant.of(rooms(), new UnitAsk(turnOf(turn), requests), rivals(turn));
            grant.charged().forEach((kind, charge) -> pool.computeIfPresent(kind, (_, all) -> all.spent(charge)));
            if (grant.granted() > 0) {
                servedAt.put(turn.worker(), turn.at());
            }
            requests.subList(0, grant.granted()).forEach(request -> use(turn.at() + delay, request));
            List<Units> left = requests.subList(grant.granted(), requests.size());
            if (left.isEmpty()) {
                wishes.remove(turn.worker());
            } else {
                wishes.put(turn.worker(), new UnitWish(turnOf(turn), left.getFirst(), Duration.ZERO));
                wishedAt.put(turn.worker(), turn.at());
            }
        }

        private List<LimitRoom> rooms() {
            return pool.values().stream().map(Spending::room).toList();
        }

        private List<Units> requests() {
            long most = pool.values().stream()
                    .filter(spending -> spending.kind() == LimitKind.TOKENS_PER_MINUTE)
                    .mapToLong(Spending::limit)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            List<Units> requests = new ArrayList<>();
            for (int i = random.nextInt(61); i > 0; i--) {
                requests.add(Units.ofRequest(Math.min(most, random.nextInt(1, largest + 1)), 0));
            }
            return requests;
        }

        private WorkerTurn turnOf(Turn turn) {
            long waited = turn.at() - servedAt.getOrDefault(turn.worker(), 0L);
            return new WorkerTurn("worker-" + turn.worker(), turn.worker() == 3, Duration.ofMillis(waited));
        }

        private List<UnitWish> rivals(Turn turn) {
            return wishes.entrySet().stream()
                    .filter(wish -> wish.getKey() != turn.worker())
                    .map(wish -> new UnitWish(
                            wish.getValue().turn(),
                            wish.getValue().head(),
                            Duration.ofMillis(turn.at() - wishedAt.get(wish.getKey()))))
                    .toList();
        }

        /**
         * Most are used within a second of their grant, and arrive within half a second more: often at the first or
         * last moment. Some are not needed, some die with their worker.
         */
        private void use(long grantedAt, Units request) {
            if (happens(0.03)) {
                pool.replaceAll((kind, all) -> all.returned(all.slot(), request.of(kind)));
            } else if (!happens(0.01)) {
                arrivals.add(new Arrival(grantedAt + pick(0, LATEST_MS, random.nextInt(LATEST_MS)), request));
            }
        }

        /** The fullest window as a part of the limit that held in it. */
        double fullest(LimitKind kind) {
            double fullest = 0;
            long sum = 0;
            int first = 0;
            for (Arrival arrival : arrivals) {
                sum += arrival.units().of(kind);
                while (arrivals.get(first).at() <= arrival.at() - WINDOW_MS) {
                    sum -= arrivals.get(first++).units().of(kind);
                }
                fullest = Math.max(fullest, (double) sum / limitAround(kind, arrival.at()));
            }
            return fullest;
        }

        private long limitAround(LimitKind kind, long at) {
            TreeMap<Long, Long> changes = limits.get(kind);
            Long before = changes.floorKey(Math.max(0, at - HELD_MS));
            return changes.subMap(before, true, at, false).values().stream()
                    .mapToLong(Long::longValue)
                    .max()
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void shouldFillNoWindowTooMuchWhenTheFleetIsRandom(long seed) {
        Fleet fleet = new Fleet(seed);

        fleet.run();

        assertThat(fleet.arrivals).as("arrivals of seed %d", seed).isNotEmpty();
        fleet.pool
                .keySet()
                .forEach(kind -> assertThat(fleet.fullest(kind))
                        .as("fullest minute of %s, as a part of it, with seed %d", kind, seed)
                        .isLessThanOrEqualTo(1));
    }
}
