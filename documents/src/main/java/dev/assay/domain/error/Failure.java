package dev.assay.domain.error;

import dev.assay.domain.text.StorableText;

/**
 * The reason of a failure: a stable code and a sentence for people.
 *
 * @param message one sentence that names the field or id and what to do; never a secret
 */
public record Failure(ErrorCode code, String message) {

    public Failure {
        // A provider's words may hold what cannot be stored.
        message = StorableText.of(message);
        if (message.isBlank()) {
            throw new IllegalArgumentException("Failure message must not be blank");
        }
    }

    /**
     * An unexpected error: a defect of Assay, or an {@link Error}. Its own message stays in the log, since users may not be allowed
     * to read it.
     */
    public static Failure unexpected(Throwable thrown) {
        return thrown instanceof AssayException known
                ? known.failure()
                : new Failure(
                        ErrorCode.INTERNAL,
                        "Assay failed unexpectedly (%s); the worker's log says where."
                                .formatted(thrown.getClass().getSimpleName()));
    }
}
