package dev.assay.activities.command;

import dev.assay.domain.trace.ProgramRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The reader of a process's output. It reads to the end, so that the process never blocks, and keeps the first bytes. */
final class Capture {

    private static final int PIECE = 64 * 1024;

    private static final ExecutorService READERS = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("agent-output-", 0).factory());

    private final InputStream source;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final Future<?> reader;
    private boolean cut;

    /** Begins to read {@code source}. */
    Capture(InputStream source) {
        this.source = source;
        this.reader = READERS.submit(this::read);
    }

    private void read() {
        byte[] piece = new byte[PIECE];
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
        int room = ProgramRun.MAX_OUTPUT - kept.size();
        kept.write(piece, 0, Math.min(room, count));
        cut |= count > room;
    }

    /** Waits for the end of the stream, which a process that left its group may keep open. */
    void awaitEnd(Duration atMost) throws InterruptedException {
        try {
            reader.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            // The bytes so far are the output.
            return;
        } catch (ExecutionException e) {
            throw new IllegalStateException("The output of a program could not be read", e.getCause());
        }
    }

    /** The bytes that were kept until now. */
    synchronized byte[] bytes() {
        return kept.toByteArray();
    }

    /** Whether more was printed than is kept. */
    synchronized boolean wasCut() {
        return cut;
    }
}
