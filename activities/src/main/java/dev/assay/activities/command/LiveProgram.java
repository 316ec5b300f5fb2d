package dev.assay.activities.command;

import dev.assay.activities.container.Launch;
import dev.assay.activities.isolation.Attempt;
import dev.assay.work.child.ChildProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program that this process talks to while it runs, in a process group and a directory of its own. The watcher of the group reads from
 * a named pipe: stdin and stdout are the program's. Both streams block, and end when the program does.
 */
public final class LiveProgram implements AutoCloseable {

    /**
     * As in {@link ProcessGroup}, with a pipe of this process in place of the prompt. The shell says that the pipe is there, and opening
     * it waits until this process has opened the other end.
     */
    private static final String LAUNCH = """
        control=$1 unstarted=$2 attempt=$3 container=$4 client=$5
        shift 5
        trap ': >"$unstarted"' EXIT
        mkfifo -m 600 "$control" || exit
        echo
        exec 3<"$control" || exit
        rm -f "$control"
        """ + ProcessGroup.WATCHER + """
        exec "$@"
        """;

    private static final Duration TO_END = Duration.ofSeconds(2);
    private static final Duration TO_SAY = Duration.ofMillis(200);

    /** The bytes of its stderr that are kept, the last ones. */
    private static final int MOST_SAID = 4 * 1024;

    private final Process process;
    private final Attempt attempt;
    private final Runnable resources;
    private final Path unstarted;
    private final RandomAccessFile control;
    private final Tail stderr;

    private LiveProgram(Process process, TrialDirectory directory, Attempt attempt, Runnable resources)
            throws IOException, InterruptedException {
        this.process = process;
        this.attempt = attempt;
        this.resources = resources;
        this.unstarted = directory.unstarted();
        this.stderr = new Tail(process.getErrorStream());
        if (process.getInputStream().read() < 0) {
            stderr.awaitEnd(TO_END);
            throw new IOException("The shell that starts it ended: " + stderr.text());
        }
        // Opened for both, it does not wait for the shell.
        this.control = new RandomAccessFile(directory.control().toFile(), "rw");
        var _ = process.onExit().thenRun(this::endGroup);
    }

    /**
     * Starts {@code launch}.
     *
     * @param resources what is given back when it has ended
     * @throws IOException when the system starts no process, or not in the walls of the attempt
     */
    static LiveProgram start(Launch launch, TrialDirectory directory, Attempt attempt, Runnable resources)
            throws IOException, InterruptedException {
        ProcessBuilder builder = ChildProcess.with(
                        ProcessGroup.launch(launch, LAUNCH, directory.control(), directory), launch.environment())
                .directory(directory.work().toFile());
        Process process = attempt.start(builder);
        try {
            return new LiveProgram(process, directory, attempt, resources);
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** What it reads. A write to a program that has ended fails. */
    public OutputStream input() {
        return process.getOutputStream();
    }

    /** What it prints. */
    public InputStream output() {
        return process.getInputStream();
    }

    /** The last part of what it said on stderr, all of it where it has ended. */
    public String said() throws InterruptedException {
        if (!process.isAlive()) {
            stderr.awaitEnd(TO_SAY);
        }
        return stderr.text();
    }

    /** Whether it runs. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** The id of its process, or of the client of its container. */
    public long pid() {
        return process.pid();
    }

    /** Waits for its end. Null: it has not ended within {@code atMost}; else the exit code, 128 + n for signal n. */
    public @Nullable Integer exitCode(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS) ? (Integer) process.exitValue() : null;
    }

    /** Waits for its end. Returns the exit code, 128 + n for signal n. */
    public int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    /** Whether it could be started; to be asked after its end. */
    public boolean hasStarted() {
        return !Files.exists(unstarted);
    }

    /** Kills the group now. What reads from the program or writes to it fails. */
    public void kill() {
        endGroup();
        attempt.killLeft();
    }

    private void endGroup() {
        try (control) {
            control.write("end\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException _) {
            // It was told before.
            return;
        }
        if (!process.isAlive()) {
            attempt.killLeft();
        }
    }

    /** Kills the group, waits for its end, and gives back what it had. An interrupt is kept for later. */
    @Override
    public void close() {
        kill();
        boolean interrupted = Thread.interrupted();
        try {
            var _ = process.waitFor(TO_END.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            interrupted = true;
        }
        try {
            resources.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The reader of stderr: it reads to the end, so that the program never waits, and keeps the last bytes. */
    private static final class Tail {

        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final Thread reader;

        Tail(InputStream source) {
            this.reader = Thread.ofPlatform().daemon().name("code-stderr").start(() -> read(source));
        }

        private void read(InputStream source) {
            byte[] piece = new byte[MOST_SAID];
            try (source) {
                for (int count = source.read(piece); count >= 0; count = source.read(piece)) {
                    keep(piece, count);
                }
            } catch (IOException _) {
                // The pipe was closed: there is nothing more to read.
                return;
            }
        }

        private synchronized void keep(byte[] piece, int count) {
            kept.write(piece, 0, count);
            if (kept.size() > MOST_SAID) {
                byte[] all = kept.toByteArray();
                kept.reset();
                kept.write(all, all.length - MOST_SAID, MOST_SAID);
            }
        }

        /** Waits for the end of the stream, which a process that left the group may keep open. */
        void awaitEnd(Duration atMost) throws InterruptedException {
            var _ = reader.join(atMost);
        }

        synchronized String text() {
            return kept.toString(StandardCharsets.UTF_8).strip();
        }
    }
}
