package dev.assay.work.compute;

import java.util.List;
import java.util.concurrent.CancellationException;

/** The place where tasks are run. */
public interface Computing {

    /** Runs each task where it is called, without a limit: for tests, and for files that are the user's own. */
    Computing HERE = new InPlace();

    /**
     * Runs a task and waits for it.
     *
     * @param queue the campaign, or what else takes turns with campaigns
     * @return what became of each definition, in order. A task that does not go on after a definition that was stopped has no more
     *     behind that one
     * @throws InterruptedException if the caller was interrupted. The task is given up then
     * @throws CancellationException if the place is closed
     */
    <R> List<Computed<R>> run(String queue, Task<R> task) throws InterruptedException;

    /**
     * As {@link #run}, but an interrupt is kept for later: what is computed was paid for.
     *
     * @throws CancellationException if the place is closed
     */
    <R> List<Computed<R>> runToEnd(String queue, Task<R> task);

    /** Whether no task can be run now. Tasks wait then. */
    boolean isDown();
}
