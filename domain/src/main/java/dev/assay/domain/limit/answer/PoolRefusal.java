package dev.assay.domain.limit.answer;

import java.time.Duration;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A refusal as its pool is told of it.
 *
 * @param asked how long it asks to wait; null: it does not say
 * @param blocksThen {@link Throttle#blocks} as its request was sent
 * @param cutsThen the number of cuts as its request was sent
 * @param inFlight calls of the pool that were in flight as its request was sent, it included
 */
public record PoolRefusal(Refusal.Kind kind, @Nullable Duration asked, int blocksThen, int cutsThen, int inFlight) {

    /** Of calls that begin together the first knew of none beside it. */
    private static final Comparator<PoolRefusal> LATEST = Comparator.comparingInt(PoolRefusal::blocksThen)
            .thenComparingInt(PoolRefusal::cutsThen)
            .thenComparingInt(PoolRefusal::inFlight);

    /** Whether it blocks its pool: it says that it is too much, or that the provider asks to wait. */
    public boolean blocks() {
        return switch (kind) {
            case RATE, CONCURRENCY -> true;
            case OTHER -> asked != null;
            case AUTH, QUOTA, TOO_LARGE -> false;
        };
    }

    /** Both as one, of a burst: that of the request which was sent last, when most were in flight. It asks for the longer wait. */
    public PoolRefusal and(PoolRefusal more) {
        PoolRefusal kept = LATEST.compare(more, this) > 0 ? more : this;
        return new PoolRefusal(kept.kind, longer(asked, more.asked), kept.blocksThen, kept.cutsThen, kept.inFlight);
    }

    private static @Nullable Duration longer(@Nullable Duration one, @Nullable Duration other) {
        return one == null || (other != null && other.compareTo(one) > 0) ? other : one;
    }
}
