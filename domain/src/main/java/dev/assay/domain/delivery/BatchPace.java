package dev.assay.domain.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a batch is looked at again. It is seldom looked at once it is old: a day of waiting is about 155 looks, two of Temporal's actions
 * each.
 */
public final class BatchPace {

    private static final Duration SLOWEST = Duration.ofMinutes(10);

    private BatchPace() {}

    /**
     * Half as long again as it has been on its way: 15 s, 22 s, 34 s …, up to ten minutes.
     *
     * @param age how long it has been on its way
     * @param first the shortest time
     * @param left until its deadline, at which it is looked at in any case; null: it has none
     */
    public static Duration next(Duration age, Duration first, @Nullable Duration left) {
        Duration half = shorter(age.dividedBy(2), SLOWEST);
        Duration next = half.compareTo(first) < 0 ? first : half;
        return left != null && left.isPositive() ? shorter(next, left) : next;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
