package dev.assay.domain.evaluation;

/**
 * A custom strategy's decision is not waited for any more: the trial is decided later, from the beginning, or was cancelled. What the
 * strategy returns after it counts for nothing.
 */
public final class SelectionStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public SelectionStoppedException(String message) {
        super(message);
    }
}
