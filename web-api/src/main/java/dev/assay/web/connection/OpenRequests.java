package dev.assay.web.connection;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** The number of requests that wait for the beginning of their answer. A stream of events has begun with its headers. */
@Singleton
public final class OpenRequests {

    private static final long LOOK_NANOS = 5_000_000;

    private final AtomicInteger open = new AtomicInteger();

    void begin() {
        open.incrementAndGet();
    }

    void end() {
        open.decrementAndGet();
    }

    /** Waits until every request has its answer, but no longer than {@code patience}. */
    public void awaitNone(Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (open.get() > 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
