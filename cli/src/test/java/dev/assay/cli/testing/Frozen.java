package dev.assay.cli.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Processes that stand still for a while: alive, and silent. */
public final class Frozen {

    private Frozen() {}

    /** SIGSTOP now, SIGCONT after {@code time}. Returns at once; nothing happens to a process that ends meanwhile. */
    public static void process(long pid, Duration time) {
        signal("STOP", pid);
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> signal("CONT", pid));
    }

    private static void signal(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
