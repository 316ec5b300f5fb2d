package dev.assay.campaigns.launch;

import io.grpc.Context;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds the time that a request waits for Temporal. Temporal's client retries for a minute, which suits workers; a user gets 503
 * earlier. A restart takes less than the bound.
 */
final class TemporalDeadline {

    private static final long SECONDS = 5;

    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("temporal-deadline").factory());

    private TemporalDeadline() {}

    /** The result of {@code call}; fails with DEADLINE_EXCEEDED after 5 s. */
    static <T> T within(Supplier<T> call) {
        try (Context.CancellableContext bounded =
                Context.current().withDeadlineAfter(SECONDS, TimeUnit.SECONDS, TIMER)) {
            Context before = bounded.attach();
            try {
                return call.get();
            } finally {
                bounded.detach(before);
            }
        }
    }
}
