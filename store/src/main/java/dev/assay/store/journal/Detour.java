package dev.assay.store.journal;

import dev.assay.store.journal.GroupCommit.Pending;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The owners whose items PostgreSQL refuses, and the journal that writes them beside the others. Finding which of many items are refused
 * takes a transaction for each. Only the thread of the journal before it calls it, so an owner's items keep their order.
 *
 * @param <I> what is written
 * @param <R> what the writer of one item learns
 */
final class Detour<I, R> {

    /** An owner of which nothing was refused for so long goes with the others again. */
    private static final long CALM_NANOS = Duration.ofSeconds(10).toNanos();

    private final GroupCommit<I, R> journal;
    private final Map<String, Owner> owners = new HashMap<>();

    Detour(GroupCommit<I, R> journal) {
        this.journal = journal;
    }

    private static final class Owner {
        private final AtomicInteger open = new AtomicInteger();
        private volatile long refusedNanos = System.nanoTime();
    }

    /** The journal of the detour. */
    GroupCommit<I, R> journal() {
        return journal;
    }

    /** Takes items of an owner, the first of which are refused. */
    void take(String name, List<Pending<I, R>> items) {
        Owner owner = owners.computeIfAbsent(name, any -> new Owner());
        owner.refusedNanos = System.nanoTime();
        add(owner, items);
    }

    /** Takes an item if its owner is on the detour. */
    boolean takes(String name, Pending<I, R> item) {
        Owner owner = owners.get(name);
        if (owner == null) {
            return false;
        }
        if (owner.open.get() == 0 && System.nanoTime() - owner.refusedNanos > CALM_NANOS) {
            owners.remove(name);
            return false;
        }
        add(owner, List.of(item));
        return true;
    }

    private void add(Owner owner, List<Pending<I, R>> items) {
        owner.open.addAndGet(items.size());
        for (Pending<I, R> item : items) {
            var _ = item.result().whenComplete((result, error) -> {
                if (error != null) {
                    owner.refusedNanos = System.nanoTime();
                }
                owner.open.decrementAndGet();
            });
        }
        journal.add(items);
    }
}
