package dev.assay.web.stream;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks where something has changed, and else says what the last look saw. It looks from time to time all the same: not everything that
 * is seen is recorded.
 *
 * @param <T> what is seen
 */
public final class SleepingLook<T> implements Supplier<T> {

    private final Supplier<String> marks;
    private final Supplier<T> look;
    private final Predicate<? super T> sleeps;
    private final long longest;
    private final LongSupplier nanos;
    private @Nullable String mark;
    private @Nullable T last;
    private long at;

    /**
     * A look that has seen nothing.
     *
     * @param marks the mark of what is looked at, which differs after a change
     * @param sleeps whether it may sleep after what it saw
     * @param longest how long it sleeps at most
     */
    public SleepingLook(Supplier<String> marks, Supplier<T> look, Predicate<? super T> sleeps, Duration longest) {
        this(marks, look, sleeps, longest, System::nanoTime);
    }

    SleepingLook(
            Supplier<String> marks,
            Supplier<T> look,
            Predicate<? super T> sleeps,
            Duration longest,
            LongSupplier nanos) {
        this.marks = marks;
        this.look = look;
        this.sleeps = sleeps;
        this.longest = longest.toNanos();
        this.nanos = nanos;
    }

    @Override
    public synchronized T get() {
        // The mark first: what is recorded after it is seen now, or changes the next one.
        String now = marks.get();
        T seen = last;
        if (seen == null || !sleeps.test(seen) || !now.equals(mark) || nanos.getAsLong() - at >= longest) {
            at = nanos.getAsLong();
            seen = look.get();
            mark = now;
            last = seen;
        }
        return seen;
    }
}
