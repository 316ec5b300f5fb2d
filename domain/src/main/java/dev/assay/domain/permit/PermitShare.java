package dev.assay.domain.permit;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The fair part of each worker in a pool. Evaluations come first: their rest is shared out among the cells of campaigns. In each
 * group, no worker gets more than it wants while another wants more than it has (max-min fairness). Permits that no worker wants
 * are spread evenly over those that want anything, so that a burst need not ask first.
 */
final class PermitShare {

    /** The time for which a worker may keep permits of a pool that is too small for all. It is longer than handing one over takes. */
    static final Duration TURN = Duration.ofSeconds(1);

    /**
     * The order of workers where there are too few permits for all. First comes the one whose turn it is, then the longest wait,
     * then the shortest time since its turn began.
     */
    private static final Comparator<PermitLease> TURNS = Comparator.<PermitLease>comparingInt(PermitShare::rank)
            .thenComparing(
                    lease -> lease.granted() > 0 ? lease.since() : lease.since().negated())
            .thenComparing(PermitLease::workerId);

    private static final Comparator<PermitLease> BY_ID = Comparator.comparing(PermitLease::workerId);

    private final int size;
    private final List<PermitLease> workers;

    /** @param size permits of the pool, at least 0 */
    PermitShare(int size, List<PermitLease> workers) {
        this.size = size;
        this.workers = List.copyOf(workers);
    }

    private static int rank(PermitLease lease) {
        if (lease.granted() == 0) {
            return 1;
        }
        return lease.since().compareTo(TURN) < 0 ? 0 : 2;
    }

    /** The part of {@code worker}, which is one of those that want anything. */
    int of(PermitLease worker) {
        int afterUrgent = left(size, lease -> lease.wish().urgent());
        int afterAll = left(afterUrgent, lease -> lease.wish().patient());
        return part(size, worker, lease -> lease.wish().urgent())
                + part(afterUrgent, worker, lease -> lease.wish().patient())
                + evenPart(afterAll, workers, worker, BY_ID);
    }

    private int left(int permits, ToIntFunction<PermitLease> wish) {
        long wanted = workers.stream().mapToLong(wish::applyAsInt).sum();
        return (int) Math.max(0, permits - wanted);
    }

    private int part(int permits, PermitLease worker, ToIntFunction<PermitLease> wish) {
        List<PermitLease> asking = workers.stream()
                .filter(lease -> wish.applyAsInt(lease) > 0)
                .sorted(Comparator.comparingInt(wish))
                .toList();
        int left = permits;
        int satisfied = 0;
        for (PermitLease lease : asking) {
            if (wish.applyAsInt(lease) > left / (asking.size() - satisfied)) {
                break;
            }
            left -= wish.applyAsInt(lease);
            satisfied++;
        }
        List<PermitLease> unsatisfied = asking.subList(satisfied, asking.size());
        return unsatisfied.contains(worker)
                ? evenPart(left, unsatisfied, worker, left < unsatisfied.size() ? TURNS : BY_ID)
                : wish.applyAsInt(worker);
    }

    /**
     * The even part of a worker. Where there are too few permits for all, workers take turns. A remainder goes by id otherwise, and
     * stays there.
     */
    private static int evenPart(
            int permits, List<PermitLease> workers, PermitLease worker, Comparator<PermitLease> order) {
        long before = workers.stream()
                .filter(other -> order.compare(other, worker) < 0)
                .count();
        return permits / workers.size() + (before < permits % workers.size() ? 1 : 0);
    }
}
