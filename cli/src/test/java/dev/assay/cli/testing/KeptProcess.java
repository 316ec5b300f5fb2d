package dev.assay.cli.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A process that is started again whenever it ends, as systemd or a container engine would do it. */
public final class KeptProcess implements AutoCloseable {

    private static final Duration CLEAN_STOP = Duration.ofSeconds(30);

    private final Thread keeper;
    private volatile ProcessBuilder command;
    private volatile Process process;
    private volatile boolean closing;

    private KeptProcess(ProcessBuilder command) throws IOException {
        this.command = command;
        this.process = command.start();
        this.keeper = Thread.ofPlatform().daemon().name("keeper").start(this::keep);
    }

    public static KeptProcess start(ProcessBuilder command) throws IOException {
        return new KeptProcess(command);
    }

    private void keep() {
        try {
            while (!closing) {
                process.waitFor();
                startAgain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void startAgain() throws IOException {
        if (!closing) {
            process = command.start();
        }
    }

    /** From now on it is another command that is started when the process ends. */
    public void replaceBy(ProcessBuilder next) {
        command = next;
    }

    public long pid() {
        return process.pid();
    }

    /** SIGTERM, and an end without kill. */
    @Override
    public void close() throws InterruptedException {
        synchronized (this) {
            closing = true;
        }
        process.destroy();
        if (!process.waitFor(CLEAN_STOP)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("Process " + process.pid() + " did not end in " + CLEAN_STOP + " after SIGTERM");
        }
        keeper.join();
    }
}
