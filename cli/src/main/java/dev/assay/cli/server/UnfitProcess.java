package dev.assay.cli.server;

import dev.assay.activities.compute.BoundedComputing;
import io.micronaut.context.BeanContext;

/** The end of a process whose threads are held by work that does not end: its supervisor starts a fresh one. */
final class UnfitProcess {

    /** The process could not go on. */
    static final int EXIT_CODE = 1;

    private UnfitProcess() {}

    /** From now on the worker of {@code context} drains and this process ends when too many of its threads are lost. */
    static void endsWhenExhausted(BeanContext context) {
        // The shutdown hook stops everything in order, the worker with the time to drain that it has.
        context.getBean(BoundedComputing.class).whenExhausted(() -> System.exit(EXIT_CODE));
    }
}
