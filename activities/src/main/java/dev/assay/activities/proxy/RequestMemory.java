package dev.assay.activities.proxy;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The memory for bodies of requests, which all programs of a worker share. It is counted in KiB. */
final class RequestMemory {

    /** Bytes of a body. */
    static final int MAX_BODY = 32 * 1024 * 1024;

    private static final int KIB = 1024;

    /** The least for all, so that two of the largest bodies fit. */
    private static final long LEAST = 2L * MAX_BODY;

    /** A sixteenth of the heap: a body is there two or three times while it is rewritten and sent. */
    private static final int SHARE = 16;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration LATER = Duration.ofSeconds(5);

    private final Semaphore free =
            new Semaphore(Math.toIntExact(Math.max(LEAST, Runtime.getRuntime().maxMemory() / SHARE) / KIB));

    /** The memory of one request. */
    Share share() {
        return new Share();
    }

    /** The memory that one request has taken. Used by one thread. */
    final class Share implements AutoCloseable {

        private int taken;

        private Share() {}

        /**
         * Makes room for a body of {@code bytes} in all, waiting for others.
         *
         * @throws RefusedException when others need it all for too long
         */
        void grow(long bytes) throws RefusedException, InterruptedException {
            int needed = Math.toIntExact(Math.ceilDiv(bytes, KIB));
            if (needed <= taken) {
                return;
            }
            if (!free.tryAcquire(needed - taken, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw RefusedException.unavailable(
                        "The bodies of other requests take all the memory of the model proxy.", LATER);
            }
            taken = needed;
        }

        @Override
        public void close() {
            free.release(taken);
            taken = 0;
        }
    }
}
