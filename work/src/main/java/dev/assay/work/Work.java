package dev.assay.work;

import org.jspecify.annotations.Nullable;

/**
 * The work that a {@link BoundedWork} runs. It computes, does no I/O, and does not ask the same pool again, which could wait for
 * itself.
 */
@FunctionalInterface
public interface Work<T extends @Nullable Object, E extends Exception> {

    T run() throws E;
}
