package dev.assay.activities.proxy;

import dev.assay.domain.usage.Measured;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The money of the requests of one attempt: spent, and reserved by those under way, within the most that it may cost. */
final class AttemptSpend {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final @Nullable BigDecimal most;
    private BigDecimal spent = BigDecimal.ZERO;
    private BigDecimal reserved = BigDecimal.ZERO;
    private Measured answered = new Measured(Usage.NONE, BigDecimal.ZERO, Duration.ZERO);
    private int refused;

    /** @param most US dollars; null: nothing but the campaign's budget bounds it */
    AttemptSpend(@Nullable BigDecimal most) {
        this.most = most;
    }

    /**
     * Reserves the worst case of a request, waiting for requests in its way.
     *
     * @param worstCase US dollars; null: no price is known here
     * @throws RefusedException when it is more than is left, or requests in its way do not end in time
     */
    void reserve(@Nullable BigDecimal worstCase, Duration atMost) throws RefusedException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (worstCase == null) {
                refuseWhereBounded();
                return;
            }
            for (long left = atMost.toNanos(); !fits(spent.add(reserved), worstCase); left = changed.awaitNanos(left)) {
                if (!fits(spent, worstCase)) {
                    refused++;
                    throw RefusedException.spent(
                            "The attempt may cost %s USD. It has cost %s, and this request may cost %s."
                                    .formatted(most, spent.toPlainString(), worstCase.toPlainString()));
                }
                if (left <= 0) {
                    throw RefusedException.held(
                            "Requests of this attempt that are under way may cost all that it may cost.", atMost);
                }
            }
            reserved = reserved.add(worstCase);
        } finally {
            lock.unlock();
        }
    }

    /** The campaign was accepted with a price, and this worker has none. */
    private void refuseWhereBounded() throws RefusedException {
        if (most != null) {
            refused++;
            throw RefusedException.spent(
                    "The worker knows no price of the model, so that it cannot keep to `maxCostUsd`.");
        }
    }

    private boolean fits(BigDecimal before, BigDecimal worstCase) {
        return most == null || before.add(worstCase).compareTo(most) <= 0;
    }

    /** Takes a reservation back, and counts what the request cost in its place; null: not known. */
    void settle(@Nullable BigDecimal worstCase, @Nullable BigDecimal cost) {
        lock.lock();
        try {
            reserved = worstCase == null ? reserved : reserved.subtract(worstCase);
            spent = cost == null ? spent : spent.add(cost);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Adds what an answer used. */
    void answered(Measured measured) {
        lock.lock();
        try {
            answered = answered.plus(measured);
        } finally {
            lock.unlock();
        }
    }

    /** What was answered, all together. */
    Measured answered() {
        lock.lock();
        try {
            return answered;
        } finally {
            lock.unlock();
        }
    }

    /** How many requests were refused because they may have cost too much. */
    int refused() {
        lock.lock();
        try {
            return refused;
        } finally {
            lock.unlock();
        }
    }
}
