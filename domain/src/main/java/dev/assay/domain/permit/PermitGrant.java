package dev.assay.domain.permit;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a worker gets of a pool.
 *
 * @param granted permits that are recorded as held by it
 * @param share permits that are its fair part; where it is less than {@code granted} the worker gives the others back as soon as
 *     they are not in use, and says so when it asks again
 */
public record PermitGrant(int granted, int share) {

    /** Permits that the worker may use from now on. */
    public int usable() {
        return Math.min(granted, share);
    }

    /** Whether there is something to record of the worker that got this on {@code ask}: what it holds, or its wish. */
    public boolean isRecordedFor(PermitAsk ask) {
        return granted > 0 || ask.wanted() > 0;
    }

    /**
     * The answer to a worker that asks. A permit changes hands in two steps: who has too many gives it back, then who has too
     * few finds it free. So the sum of what is recorded never exceeds {@code size}, unless the pool was made smaller: nobody
     * gets more then until it has shrunk.
     *
     * @param size permits of the pool, at least 0
     * @param leases what is recorded of live workers, the asking one included if it has a lease
     * @param workerId who asks
     */
    public static PermitGrant of(int size, List<PermitLease> leases, String workerId, PermitAsk ask) {
        // What is not recorded was lost with a lapsed lease, perhaps to somebody else.
        int recorded = 0;
        long others = 0;
        for (PermitLease lease : leases) {
            if (lease.workerId().equals(workerId)) {
                recorded = lease.granted();
            } else {
                others += lease.granted();
            }
        }
        int kept = Math.min(ask.held(), recorded);
        int share = share(size, leases, workerId, ask.wanted());
        long free = Math.max(0, size - others - kept);
        return new PermitGrant(share <= kept ? kept : (int) Math.min(share, kept + free), share);
    }

    /**
     * The fair part of a worker: nobody gets more than it wants while somebody wants more than it has (max-min fairness), and
     * what nobody wants is spread evenly over those who want anything, so that a burst need not ask first.
     */
    private static int share(int size, List<PermitLease> leases, String workerId, int wanted) {
        if (wanted == 0) {
            return 0;
        }
        List<PermitLease> wishes = Stream.concat(
                        leases.stream().filter(lease -> !lease.workerId().equals(workerId) && lease.wanted() > 0),
                        Stream.of(new PermitLease(workerId, 0, wanted)))
                .sorted(Comparator.comparingInt(PermitLease::wanted))
                .toList();
        int left = size;
        int satisfied = 0;
        for (PermitLease wish : wishes) {
            if (wish.wanted() > left / (wishes.size() - satisfied)) {
                break;
            }
            left -= wish.wanted();
            satisfied++;
        }
        if (satisfied == wishes.size()) {
            return wanted + evenPart(left, wishes, workerId);
        }
        List<PermitLease> unsatisfied = wishes.subList(satisfied, wishes.size());
        boolean enough = unsatisfied.stream().noneMatch(wish -> wish.workerId().equals(workerId));
        return enough ? wanted : evenPart(left, unsatisfied, workerId);
    }

    /** What does not divide goes to the first by id: the order of their wishes changes all the time. */
    private static int evenPart(int permits, List<PermitLease> workers, String workerId) {
        long before = workers.stream()
                .filter(worker -> worker.workerId().compareTo(workerId) < 0)
                .count();
        return permits / workers.size() + (before < permits % workers.size() ? 1 : 0);
    }
}
