package dev.assay.work;

import org.jspecify.annotations.Nullable;

/** What a {@link BoundedWork} runs: it computes, does no I/O, and does not ask the same pool again, which could wait for itself. */
@FunctionalInterface
public interface Work<T extends @Nullable Object, E extends Exception> {

    T run() throws E;
}
