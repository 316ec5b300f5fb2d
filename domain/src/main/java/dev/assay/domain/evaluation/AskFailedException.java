package dev.assay.domain.evaluation;

import dev.assay.domain.error.Failure;

/** A model gave a custom strategy no answer, after all attempts. The strategy may decide without it. */
public final class AskFailedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Failure failure;

    public AskFailedException(Failure failure) {
        super(failure.code() + ": " + failure.message());
        this.failure = failure;
    }

    /** The reason. */
    public Failure failure() {
        return failure;
    }
}
