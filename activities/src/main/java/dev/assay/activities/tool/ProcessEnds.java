package dev.assay.activities.tool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Ends processes: each is asked to, and killed when it has not ended after {@link #TO_END}. */
final class ProcessEnds implements AutoCloseable {

    private static final Duration TO_END = Duration.ofSeconds(2);

    private final Set<CompletableFuture<Void>> underWay = ConcurrentHashMap.newKeySet();

    /**
     * Asks processes to end, and returns at once.
     *
     * @param last done when they have ended or were killed
     */
    void end(List<ProcessHandle> processes, Runnable last) {
        processes.forEach(ProcessHandle::destroy);
        CompletableFuture<Void> end = CompletableFuture.allOf(
                        processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                .completeOnTimeout(null, TO_END.toMillis(), TimeUnit.MILLISECONDS)
                .thenRun(() -> processes.forEach(ProcessHandle::destroyForcibly));
        underWay.add(end);
        end.thenRunAsync(last, task -> Thread.ofVirtual().name("mcp-end").start(task));
        end.whenComplete((ended, failure) -> underWay.remove(end));
    }

    /** Waits for the ends under way, at most {@link #TO_END}: nothing that was started here outlives its worker. */
    @Override
    public void close() {
        CompletableFuture.allOf(underWay.toArray(CompletableFuture[]::new)).join();
    }
}
