package dev.assay.work.compute;

/** The end of one definition of a task. */
public sealed interface Computed<R> {

    /** It was applied. */
    record Done<R>(R answer) implements Computed<R> {}

    /** It was stopped, or its process ended over it. */
    record Stopped<R>(Stop stop) implements Computed<R> {}
}
