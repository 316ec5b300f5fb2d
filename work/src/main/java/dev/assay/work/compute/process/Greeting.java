package dev.assay.work.compute.process;

/**
 * The first frame of a compute process.
 *
 * @param build what it was started from; another one than its parent's does not understand it
 */
public record Greeting(String build) {}
