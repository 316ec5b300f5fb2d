package dev.assay.web.problem;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import java.util.List;
import java.util.Locale;

/**
 * An error by RFC 9457.
 *
 * @param type a URI that names the code
 * @param title the code in words
 * @param status the HTTP status
 * @param code stable name of the kind of error
 * @param detail what went wrong and what to do
 * @param errors the fields at fault; empty when the error is not about fields
 * @param requestId names the request in the server's log
 */
public record ProblemDocument(
        String type, String title, int status, String code, String detail, List<FieldError> errors, String requestId) {

    /** The media type of problem documents. */
    public static final String MEDIA_TYPE = "application/problem+json";

    public ProblemDocument {
        errors = List.copyOf(errors);
    }

    static ProblemDocument of(ErrorCode code, int status, String detail, List<FieldError> errors, String requestId) {
        String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return new ProblemDocument(
                "urn:assay:problem:" + words.replace(' ', '-'),
                words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1),
                status,
                code.name(),
                detail,
                errors,
                requestId);
    }
}
