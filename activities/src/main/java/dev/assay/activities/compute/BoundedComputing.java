package dev.assay.activities.compute;

import dev.assay.work.BoundedWork;
import dev.assay.work.Work;
import dev.assay.work.WorkTimedOutException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes on the worker's pool of threads, each piece of work for {@link #LIMIT} at most. */
public final class BoundedComputing implements Computing, AutoCloseable {

    /** Every computation has a budget of steps that is used up sooner; this limit is the fallback. */
    public static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(BoundedComputing.class);

    private final BoundedWork pool;
    private final Duration limit;
    private volatile Runnable whenExhausted = () -> {};

    public BoundedComputing() {
        this(LIMIT);
    }

    BoundedComputing(Duration limit) {
        this.limit = limit;
        this.pool = new BoundedWork("compute", this::exhausted);
    }

    /** Sets the action when too many threads were lost to work that does not end. The process should then finish its work and end. */
    public void whenExhausted(Runnable action) {
        whenExhausted = action;
    }

    private void exhausted() {
        LOG.error("Work that does not end has taken too many threads. This worker takes no more cells,"
                + " finishes its calls and ends");
        whenExhausted.run();
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T run(String what, Work<T, E> work)
            throws E, WorkTimedOutException, InterruptedException {
        return pool.run(what, limit, work);
    }

    @Override
    public void close() {
        pool.close();
    }
}
