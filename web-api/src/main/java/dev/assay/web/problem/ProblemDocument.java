package dev.assay.web.problem;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.FieldError;
import dev.assay.domain.text.Excerpt;
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
 * @param errors the fields at fault, the first 100; empty when the error is not about fields
 * @param moreErrors how many fields are at fault beside these
 * @param requestId names the request in the server's log
 */
public record ProblemDocument(
        String type,
        String title,
        int status,
        String code,
        String detail,
        List<FieldError> errors,
        int moreErrors,
        String requestId) {

    /** The number of errors in an answer. */
    private static final int SHOWN = 100;

    /** Longest detail of an answer, in UTF-16 code units. */
    private static final int MAX_DETAIL = 2_000;

    /** The media type of problem documents. */
    public static final String MEDIA_TYPE = "application/problem+json";

    public ProblemDocument {
        errors = List.copyOf(errors);
    }

    static ProblemDocument of(
            ErrorCode code, int status, String detail, List<FieldError> errors, int moreErrors, String requestId) {
        String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        List<FieldError> shown = errors.subList(0, Math.min(SHOWN, errors.size()));
        return new ProblemDocument(
                "urn:assay:problem:" + words.replace(' ', '-'),
                words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1),
                status,
                code.name(),
                detail.length() > MAX_DETAIL ? Excerpt.of(detail, MAX_DETAIL) : detail,
                shown,
                errors.size() - shown.size() + moreErrors,
                requestId);
    }
}
