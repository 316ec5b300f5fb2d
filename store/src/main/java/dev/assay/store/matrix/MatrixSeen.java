package dev.assay.store.matrix;

import java.util.Set;

/**
 * The place up to which the changes of a matrix were read. Transactions do not end in the order in which they begin. All before
 * {@code from} had ended, and of the others those in {@code numbers} were read.
 *
 * @param generation of the chunks; 0: there are none
 * @param from the oldest transaction that had not ended, as PostgreSQL numbers them
 * @param numbers changes of later transactions that were read
 */
public record MatrixSeen(long generation, String from, Set<Long> numbers) {

    public MatrixSeen {
        numbers = Set.copyOf(numbers);
    }
}
