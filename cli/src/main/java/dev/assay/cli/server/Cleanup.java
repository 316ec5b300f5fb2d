package dev.assay.cli.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What has been started and must be stopped, last first. One part that does not stop keeps no other from it. */
final class Cleanup {

    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private record Step(String name, Action action) {}

    /** Stops one part. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    private final Deque<Step> steps = new ArrayDeque<>();

    synchronized void add(String name, Action action) {
        steps.push(new Step(name, action));
    }

    /** Stops everything; a second call has nothing left to do. */
    synchronized void run() {
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            try {
                step.action().run();
            } catch (Exception e) {
                LOG.warn("Stopping {} failed", step.name(), e);
            }
        }
    }
}
