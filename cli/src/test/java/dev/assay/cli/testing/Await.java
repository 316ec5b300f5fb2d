package dev.assay.cli.testing;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for conditions. */
public final class Await {

    private Await() {}

    /** Returns when {@code condition} holds; fails when it does not within {@code limit}. */
    public static void until(Duration limit, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("The condition did not hold within " + limit);
            }
            Thread.sleep(10);
        }
    }
}
