package dev.assay.domain.delivery;

import java.util.Arrays;
import java.util.List;

/** The state of a provider batch. Each change names the state before, so that of two that would change it one does. */
public enum BatchState {
    /** Its cells and rows of the ledger are committed. */
    BUILDING,
    /** The provider has its file. */
    UPLOADED,
    /** The one submission may have been sent. */
    SUBMITTING,
    /** The provider's name of it is known. */
    SUBMITTED,
    /** Nobody knows whether it was accepted, and the provider's list cannot be read. */
    UNCERTAIN,
    /** No line changes any more. */
    ENDED,
    /** Every line is recorded. */
    COLLECTED,
    /** The provider refused it as a whole. */
    REFUSED,
    /** A user gave it up. */
    ABANDONED;

    /** Whether cells may be out in it. */
    public boolean isOpen() {
        return this != COLLECTED && this != REFUSED && this != ABANDONED;
    }

    /** Names of the states in which cells may be out. */
    public static List<String> open() {
        return Arrays.stream(values())
                .filter(BatchState::isOpen)
                .map(BatchState::name)
                .toList();
    }
}
