package dev.assay.activities.tool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends processes: each is asked to, and killed when it has not ended after {@link #TO_END}. */
final class ProcessEnds implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessEnds.class);

    private static final Duration TO_END = Duration.ofSeconds(2);
    /** The time for killing after that. */
    private static final Duration TO_KILL = Duration.ofSeconds(1);

    /** The threads that wait for ends. */
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    /**
     * Asks processes to end, and returns at once.
     *
     * @param last done when they have ended or were killed
     */
    void end(List<ProcessHandle> processes, Runnable last) {
        processes.forEach(ProcessHandle::destroy);
        Thread end = Thread.ofVirtual().name("mcp-end").unstarted(() -> {
            if (!haveEnded(processes, TO_END)) {
                LOG.debug("A process of an MCP server did not end when it was asked to");
                processes.forEach(ProcessHandle::destroyForcibly);
                haveEnded(processes, TO_KILL);
            }
            waiting.remove(Thread.currentThread());
            last.run();
        });
        waiting.add(end);
        end.start();
    }

    private static boolean haveEnded(List<ProcessHandle> processes, Duration within) {
        try {
            CompletableFuture.allOf(
                            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(within.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Waits for the ends in progress, {@link #TO_END} and {@link #TO_KILL} at most. No process that was started here outlives its
     * worker.
     */
    @Override
    public void close() {
        try {
            for (Thread end : waiting) {
                end.join(TO_END.plus(TO_KILL));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
