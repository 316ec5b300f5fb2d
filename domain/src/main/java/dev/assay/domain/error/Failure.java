package dev.assay.domain.error;

/**
 * Why something failed: a stable code and a sentence for people.
 *
 * @param code what kind of failure
 * @param message one sentence that names the field or id and what to do; never a secret
 */
public record Failure(ErrorCode code, String message) {

    public Failure {
        // PostgreSQL keeps no U+0000, and a provider's words may hold one.
        message = message.replace('\0', '\uFFFD');
        if (message.isBlank()) {
            throw new IllegalArgumentException("Failure message must not be blank");
        }
    }
}
