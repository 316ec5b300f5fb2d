package dev.assay.activities.call;

import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The requests of this worker that wait until calls in flight have freed some of their campaign's budget. All ask for one row. So
 * of each campaign one asks at a time, in the order in which they came. It asks when a request of the campaign was settled here, and
 * every {@value #LOOK_MS} ms, since others settle elsewhere. Each that need not wait any more lets two others ask.
 */
@Singleton
public class BudgetQueue {

    static final long LOOK_MS = 100;

    private static final int MOST_AT_ONCE = 64;

    private final Map<String, Line> lines = new HashMap<>();
    private final Executor later = CompletableFuture.delayedExecutor(LOOK_MS, TimeUnit.MILLISECONDS, Runnable::run);

    /** A request that asks whether its campaign's budget covers it now. */
    @FunctionalInterface
    interface Asking {

        /** Whether it need not wait any more. When it throws, it does not wait either. */
        boolean isGranted() throws InterruptedException;
    }

    /** What waits of one campaign. Guarded by the queue. */
    private static final class Line {
        private final Deque<Semaphore> waiting = new ArrayDeque<>();
        private int asking;
        private int atOnce = 1;
        /** Whether the last one that asked has to wait, and nothing has changed since then. */
        private boolean isHeld = true;
        /** Whether it is looked at again soon. */
        private boolean isLookedAt;

        private void admit() {
            while (!isHeld && asking < atOnce && !waiting.isEmpty()) {
                asking++;
                waiting.removeFirst().release();
            }
        }

        private void answered(boolean isGranted) {
            asking--;
            atOnce = isGranted ? Math.min(2 * atOnce, MOST_AT_ONCE) : 1;
            isHeld = isHeld || !isGranted;
        }
    }

    /** Waits until a request is granted that was told to wait. Its thread may be interrupted meanwhile; the others go on. */
    void await(String campaignId, Asking request) throws InterruptedException {
        Semaphore turn = new Semaphore(0);
        enter(campaignId, turn);
        boolean isGranted = false;
        while (!isGranted) {
            awaitTurn(campaignId, turn);
            boolean isAsked = false;
            try {
                isGranted = request.isGranted();
                isAsked = true;
            } finally {
                answered(campaignId, turn, isGranted || !isAsked);
            }
        }
    }

    private void awaitTurn(String campaignId, Semaphore turn) throws InterruptedException {
        boolean isAdmitted = false;
        try {
            turn.acquire();
            isAdmitted = true;
        } finally {
            if (!isAdmitted) {
                leave(campaignId, turn);
            }
        }
    }

    private synchronized void enter(String campaignId, Semaphore turn) {
        Line line = lines.get(campaignId);
        if (line == null) {
            line = new Line();
            lines.put(campaignId, line);
        }
        lookLater(line);
        line.waiting.addLast(turn);
        line.admit();
    }

    private synchronized void answered(String campaignId, Semaphore turn, boolean isGranted) {
        Line line = lines.get(campaignId);
        if (line == null) {
            throw new IllegalStateException("Nothing waits for the budget of " + campaignId);
        }
        line.answered(isGranted);
        if (!isGranted) {
            line.waiting.addFirst(turn);
            lookLater(line);
        }
        line.admit();
        forgetIfEmpty(campaignId, line);
    }

    /** A request was interrupted while it waited. It may have been admitted at that moment. */
    private synchronized void leave(String campaignId, Semaphore turn) {
        Line line = lines.get(campaignId);
        if (line != null) {
            if (!line.waiting.remove(turn)) {
                line.asking--;
            }
            line.admit();
            forgetIfEmpty(campaignId, line);
        }
    }

    private void forgetIfEmpty(String campaignId, Line line) {
        if (line.waiting.isEmpty() && line.asking == 0) {
            lines.remove(campaignId);
        }
    }

    private void lookLater(Line line) {
        if (!line.isLookedAt) {
            line.isLookedAt = true;
            later.execute(() -> look(line));
        }
    }

    private synchronized void look(Line line) {
        line.isLookedAt = false;
        line.isHeld = false;
        line.admit();
    }

    /** A request of the campaign was settled: there may be more of its budget. */
    synchronized void changed(String campaignId) {
        Line line = lines.get(campaignId);
        if (line != null) {
            line.isHeld = false;
            line.admit();
        }
    }
}
