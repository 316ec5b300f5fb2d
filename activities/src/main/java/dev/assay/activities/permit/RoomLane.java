package dev.assay.activities.permit;

import dev.assay.domain.limit.Units;
import dev.assay.domain.permit.CellTurn;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Entries that wait for the same, so only the first of them is looked at. Guarded by the lock of its {@link BoundedRoom}. */
final class RoomLane {

    private final Queue<Waiter> waiters = new PriorityQueue<>(Waiter.FIRST);
    private long served;

    /** An entry that waits. */
    static final class Waiter {
        private static final Comparator<Waiter> FIRST =
                Comparator.comparingInt((Waiter waiter) -> waiter.position).thenComparingLong(waiter -> waiter.arrival);

        private final int position;
        private final long arrival;
        private final Units units;
        private final CountDownLatch admitted = new CountDownLatch(1);
        private @Nullable TakenUnits taken;

        /** @param units that it spends */
        Waiter(int position, long arrival, Units units) {
            this.position = position;
            this.arrival = arrival;
            this.units = units;
        }

        CountDownLatch admitted() {
            return admitted;
        }

        Units units() {
            return units;
        }

        /** The units with which it was admitted; null: it was not, or needs none. */
        @Nullable
        TakenUnits taken() {
            return taken;
        }

        /** Its turn in a lane that was served at {@code served}. */
        CellTurn turn(boolean isUrgent, long served) {
            return new CellTurn(isUrgent, served, position, arrival);
        }
    }

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    void add(Waiter waiter) {
        waiters.add(waiter);
    }

    void remove(Waiter waiter) {
        waiters.remove(waiter);
    }

    Waiter first() {
        return waiters.element();
    }

    /** When it was served last, on the scale of {@link CellTurn}. */
    long served() {
        return served;
    }

    CellTurn turn(boolean isUrgent) {
        return first().turn(isUrgent, served);
    }

    /** All that wait, in their turns. */
    List<Waiter> inOrder() {
        return waiters.stream().sorted(Waiter.FIRST).toList();
    }

    void admitFirst(@Nullable TakenUnits taken, long now) {
        served = now;
        Waiter first = waiters.remove();
        first.taken = taken;
        first.admitted.countDown();
    }
}
