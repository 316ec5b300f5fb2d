package dev.assay.store.matrix;

import java.util.List;

/**
 * The changes of a matrix since it was read.
 *
 * @param entries to apply, in order; empty when the chunks were written anew, which {@code seen} says
 * @param seen up to where the store was read now
 */
public record MatrixUpdate(List<byte[]> entries, MatrixSeen seen, MatrixCounts expected) {

    public MatrixUpdate {
        entries = List.copyOf(entries);
    }
}
