package dev.assay.cli.terminal;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What a command waits for, said on a terminal as soon as a person would wonder. A dot follows for each second that it still does. */
public final class WaitNotice implements AutoCloseable {

    private static final Duration WONDER = Duration.ofMillis(400);
    private static final Duration DOT = Duration.ofSeconds(1);

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread speaker;

    private WaitNotice(String what, PrintWriter err) {
        speaker = Thread.ofPlatform().daemon().name("waiting").unstarted(() -> speak(what, err));
    }

    /** Begins to wait. Where no person looks on, nothing is said. */
    public static WaitNotice on(String what, PrintWriter err) {
        WaitNotice waiting = new WaitNotice(what, err);
        if (Terminal.isInteractive()) {
            waiting.speaker.start();
        }
        return waiting;
    }

    private void speak(String what, PrintWriter err) {
        try {
            if (over.await(WONDER.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            err.print(what + " …");
            err.flush();
            while (!over.await(DOT.toMillis(), TimeUnit.MILLISECONDS)) {
                err.print(".");
                err.flush();
            }
            err.println();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        try {
            speaker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
