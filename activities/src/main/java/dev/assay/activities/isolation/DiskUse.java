package dev.assay.activities.isolation;

import dev.assay.work.child.ChildProcess;
import dev.assay.work.confine.ConfinedStart;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A watch on the blocks that a directory takes, as {@code du} counts them: Java tells of no blocks. It looks every second, and at a
 * large directory less often.
 */
final class DiskUse implements AutoCloseable {

    private static final Pattern KILOBYTES = Pattern.compile("([0-9]{1,15})\\s.*", Pattern.DOTALL);
    private static final int SAID = 1_024;
    private static final int KIBIBYTES_OF_A_MEBIBYTE = 1_024;
    private static final long EVERY = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_S = 30;

    /** To look takes at most one part in this of the time. */
    private static final int SHARE = 20;

    /** Of all attempts together; the programs need the processors. */
    private static final Semaphore LOOKS =
            new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));

    private final Path directory;
    private final long limit;
    private final Thread watch;
    private volatile boolean over;

    private DiskUse(Path directory, long limit) {
        this.directory = directory;
        this.limit = limit;
        this.watch = Thread.ofVirtual().name("disk-use").unstarted(this::look);
    }

    /** @param megabytes MiB that {@code directory} may take */
    static DiskUse watch(Path directory, long megabytes) {
        DiskUse use = new DiskUse(directory, megabytes * KIBIBYTES_OF_A_MEBIBYTE);
        use.watch.start();
        return use;
    }

    /** Whether the directory has been seen to take more than it may. */
    boolean isOver() {
        return over;
    }

    private void look() {
        try {
            long pause = EVERY;
            while (!over) {
                TimeUnit.NANOSECONDS.sleep(pause);
                LOOKS.acquire();
                try {
                    long before = System.nanoTime();
                    over = isLarge();
                    pause = Math.max(EVERY, SHARE * (System.nanoTime() - before));
                } finally {
                    LOOKS.release();
                }
            }
        } catch (InterruptedException _) {
            // The attempt has ended.
            return;
        }
    }

    /** A tree of so many files that they cannot be counted in time is too large, too. */
    private boolean isLarge() throws InterruptedException {
        // Files that go meanwhile are no error.
        ProcessBuilder builder = ChildProcess.seeingOnly(List.of("du", "-skx", directory.toString()), "PATH")
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            Process process = ConfinedStart.startFree(builder);
            try (InputStream said = process.getInputStream()) {
                if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
                    return true;
                }
                Matcher found = KILOBYTES.matcher(new String(said.readNBytes(SAID), StandardCharsets.UTF_8));
                return found.matches() && Long.parseLong(found.group(1)) > limit;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            // There is no du, or no room for a process now.
            return false;
        }
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
