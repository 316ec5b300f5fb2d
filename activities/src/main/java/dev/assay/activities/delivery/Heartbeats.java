package dev.assay.activities.delivery;

import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import java.time.Duration;

/** Tells Temporal that an activity lives while it waits for a provider or for PostgreSQL. Its thread is interrupted when it is to end. */
final class Heartbeats implements AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(10);

    private final Thread beating;

    private Heartbeats(Thread beating) {
        this.beating = beating;
    }

    static Heartbeats begin(ActivityExecutionContext context) {
        Thread working = Thread.currentThread();
        return new Heartbeats(Thread.startVirtualThread(() -> beat(context, working)));
    }

    private static void beat(ActivityExecutionContext context, Thread working) {
        try {
            while (true) {
                Thread.sleep(EVERY);
                context.heartbeat(null);
            }
        } catch (ActivityCompletionException _) {
            // The worker ends, or the activity was given to another one.
            working.interrupt();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        beating.interrupt();
    }
}
