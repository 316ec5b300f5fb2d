package dev.assay.standalone.server;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that were started and must be stopped, last first. One part that does not stop keeps no other from it. */
final class Cleanup {

    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);

    private record Step(String name, Action action) {}

    /** The stop of one part. */
    @FunctionalInterface
    interface Action {
        void run() throws Exception;
    }

    private final Deque<Step> steps = new ArrayDeque<>();
    private final Thread hook = Thread.ofPlatform().name("shutdown").unstarted(this::run);
    private boolean done;

    /** Also stops everything when this process is asked to end. */
    void runAtExit() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Notes a part to stop. A part that starts while everything is being stopped is stopped at once. */
    synchronized void add(String name, Action action) {
        steps.push(new Step(name, action));
        if (done) {
            run();
        }
    }

    private void forgetHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("This process is ending already", e);
        }
    }

    /** Stops everything; a second call has nothing left to do. */
    synchronized void run() {
        done = true;
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            try {
                step.action().run();
            } catch (Exception e) {
                LOG.warn("Stopping {} failed", step.name(), e);
            }
        }
        forgetHook();
    }
}
