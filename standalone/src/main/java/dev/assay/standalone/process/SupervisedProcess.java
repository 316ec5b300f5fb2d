package dev.assay.standalone.process;

import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A {@link Child} that is kept running: a process that dies is started again until this is closed. */
public final class SupervisedProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisedProcess.class);
    private static final Duration POLL = Duration.ofMillis(10);
    private static final Duration FIRST_RETRY = Duration.ofMillis(100);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

    private final Child child;
    private final Runnable onRestart;
    private final Thread supervisor;
    private volatile Process process;
    private volatile boolean closing;

    private SupervisedProcess(Child child, Process process, Runnable onRestart) {
        this.child = child;
        this.process = process;
        this.onRestart = onRestart;
        this.supervisor =
                Thread.ofPlatform().daemon().name("supervise-" + child.name()).unstarted(this::supervise);
    }

    /**
     * Starts the child and returns when it is ready.
     *
     * @param onRestart called after each later restart, when the new process is ready
     * @throws AssayException STORE_UNAVAILABLE when it does not become ready
     */
    public static SupervisedProcess start(Child child, Runnable onRestart) {
        SupervisedProcess supervised = new SupervisedProcess(child, startUntilReady(child), onRestart);
        supervised.supervisor.start();
        return supervised;
    }

    /** Id of the process that runs now. */
    public long pid() {
        return process.pid();
    }

    private static Process startUntilReady(Child child) {
        try {
            Process process = child.start();
            awaitReady(child, process);
            return process;
        } catch (IOException e) {
            throw new AssayException(ErrorCode.STORE_UNAVAILABLE, child.name() + " could not be started", e);
        }
    }

    private static void awaitReady(Child child, Process process) {
        long deadline = System.nanoTime() + child.startTimeout().toNanos();
        while (!child.ready(process)) {
            if (!process.isAlive()) {
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        child.name() + " ended with code " + process.exitValue() + " while starting. "
                                + child.lastWords());
            }
            if (System.nanoTime() > deadline) {
                process.destroyForcibly();
                throw new AssayException(
                        ErrorCode.STORE_UNAVAILABLE,
                        child.name() + " was not ready after "
                                + child.startTimeout().toSeconds() + " s. " + child.lastWords());
            }
            pause(POLL);
        }
    }

    private void supervise() {
        while (!closing) {
            try {
                int code = process.waitFor();
                if (closing) {
                    return;
                }
                LOG.warn("{} ended with code {}; starting it again on the same data", child.name(), code);
                restart();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void restart() throws InterruptedException {
        Duration wait = FIRST_RETRY;
        while (!closing) {
            try {
                process = startUntilReady(child);
                if (closing) {
                    // close() saw the process before this one.
                    process.destroyForcibly();
                    return;
                }
                LOG.warn("{} runs again, process {}", child.name(), process.pid());
                onRestart.run();
                return;
            } catch (AssayException e) {
                LOG.warn("{} could not be started again: {}", child.name(), e.getMessage());
                Thread.sleep(wait);
                wait = wait.multipliedBy(2).compareTo(LONGEST_RETRY) < 0 ? wait.multipliedBy(2) : LONGEST_RETRY;
            }
        }
    }

    /** Ends the child cleanly, by force if it does not end in its time. */
    @Override
    public void close() {
        closing = true;
        Process last = process;
        try {
            child.requestStop(last);
            if (!last.waitFor(child.stopTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "{} did not end in {} s and is ended by force",
                        child.name(),
                        child.stopTimeout().toSeconds());
                last.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            last.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        supervisor.interrupt();
    }

    private static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssayException(ErrorCode.CANCELLED, "Interrupted while a child process was starting", e);
        }
    }
}
