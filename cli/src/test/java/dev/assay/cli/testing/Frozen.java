package dev.assay.cli.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes that stand still for a while: alive, and silent. */
public final class Frozen {

    private Frozen() {}

    /**
     * SIGSTOP now, SIGCONT after {@code time}, for a process and all that it started. Returns at once; nothing happens to those that end
     * meanwhile.
     */
    public static void process(long pid, Duration time) {
        List<Long> all = ProcessHandle.of(pid).stream()
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .map(ProcessHandle::pid)
                .toList();
        all.forEach(each -> signal("STOP", each));
        CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> all.forEach(each -> signal("CONT", each)));
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
