package dev.assay.workflows.campaign;

import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;

/** A failure in words, for the campaign's row and for people. */
final class FailureText {

    /** Longer reasons are cut: they travel through Temporal. */
    static final int MOST_CHARACTERS = 1_000;

    private FailureText() {}

    /** The message of the innermost application failure below {@code failure}, else of the innermost cause. */
    static String of(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof ApplicationFailure)) {
            cause = cause.getCause();
        }
        String message = cause instanceof TemporalFailure known ? known.getOriginalMessage() : cause.getMessage();
        String text = message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
    }
}
