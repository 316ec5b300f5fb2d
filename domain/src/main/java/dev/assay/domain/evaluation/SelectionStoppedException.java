package dev.assay.domain.evaluation;

/**
 * A signal that a custom strategy's decision is no longer awaited: the trial is decided later, from the beginning, or was
 * cancelled. What the strategy returns afterwards does not count.
 */
public final class SelectionStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public SelectionStoppedException(String message) {
        super(message);
    }
}
