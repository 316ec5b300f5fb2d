package dev.assay.activities.compute;

import dev.assay.work.Work;
import dev.assay.work.WorkTimedOutException;
import org.jspecify.annotations.Nullable;

/** The place for computations on untrusted input. */
public interface Computing {

    /** Computes on the calling thread, without a limit: for tests. */
    Computing HERE = new Computing() {
        @Override
        public <T extends @Nullable Object, E extends Exception> T run(String what, Work<T, E> work) throws E {
            return work.run();
        }
    };

    /**
     * Runs work that only computes, and waits for it.
     *
     * @param what names the work at the beginning of a sentence
     * @throws E what the work throws; its Errors are thrown too
     * @throws WorkTimedOutException if it was given up
     * @throws InterruptedException if the caller was interrupted; the work is given up then
     */
    <T extends @Nullable Object, E extends Exception> T run(String what, Work<T, E> work)
            throws E, WorkTimedOutException, InterruptedException;
}
