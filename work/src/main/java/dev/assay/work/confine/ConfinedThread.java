package dev.assay.work.confine;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** A thread of the system that is restricted, does one piece of work and ends. */
public final class ConfinedThread {

    private ConfinedThread() {}

    /**
     * Runs {@code work} and waits for it. It must neither log nor hand anything to a pool: a thread that is started on its behalf
     * would be restricted for ever.
     *
     * @param ruleset what restricts the thread; null: nothing does
     * @throws ExecutionException with what {@code work} threw
     * @throws InterruptedException when the caller was interrupted; the work was too, and has ended
     */
    public static <T> T call(String name, @Nullable Landlock ruleset, Callable<T> work)
            throws ExecutionException, InterruptedException {
        return callWith(name, ruleset == null ? List.of() : List.of(ruleset), work);
    }

    /**
     * As {@link #call(String, Landlock, Callable)}.
     *
     * @param restrictions what restricts the thread, one after the other
     */
    public static <T> T callWith(String name, List<? extends Restriction> restrictions, Callable<T> work)
            throws ExecutionException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(() -> {
            for (Restriction restriction : restrictions) {
                restriction.restrictSelf();
            }
            return work.call();
        });
        Thread confined = Thread.ofPlatform().daemon().name(name).unstarted(task);
        // The end of the confined thread wakes this one and nothing else. To wake a virtual thread may start a carrier.
        Thread keeper = keeper(name, confined);
        boolean interrupted = false;
        while (keeper.isAlive()) {
            try {
                keeper.join();
            } catch (InterruptedException _) {
                interrupted = true;
                keeper.interrupt();
            }
        }
        if (interrupted) {
            throw new InterruptedException("The work of " + name + " was interrupted");
        }
        if (!task.isDone()) {
            throw new ExecutionException(new IOException("cannot fork: the system started no thread for " + name));
        }
        return task.get();
    }

    private static Thread keeper(String name, Thread confined) throws ExecutionException {
        try {
            return Thread.ofPlatform().daemon().name(name + "-keeper").start(() -> keep(confined));
        } catch (OutOfMemoryError e) {
            throw new ExecutionException(new IOException("cannot fork: the system started no thread for " + name, e));
        }
    }

    private static void keep(Thread confined) {
        try {
            confined.start();
        } catch (OutOfMemoryError _) {
            // The task is not done, which its caller sees.
            return;
        }
        while (confined.isAlive()) {
            try {
                confined.join();
            } catch (InterruptedException _) {
                confined.interrupt();
            }
        }
    }
}
