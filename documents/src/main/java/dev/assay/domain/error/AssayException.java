package dev.assay.domain.error;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failure that reaches the user: as a problem document by HTTP, as a sentence and an exit code on the command line. */
public final class AssayException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final transient List<FieldError> errors;
    private final int moreErrors;
    private final @Nullable Duration retryAfter;

    public AssayException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public AssayException(ErrorCode code, String message, @Nullable Throwable cause) {
        this(new Failure(code, message), List.of(), 0, null, cause);
    }

    private AssayException(
            Failure failure,
            List<FieldError> errors,
            int moreErrors,
            @Nullable Duration retryAfter,
            @Nullable Throwable cause) {
        super(failure.message(), cause);
        this.failure = failure;
        this.errors = errors;
        this.moreErrors = moreErrors;
        this.retryAfter = retryAfter;
    }

    /** A request that the server has no room for until later. */
    public static AssayException busy(String message, Duration retryAfter) {
        return new AssayException(new Failure(ErrorCode.SERVER_BUSY, message), List.of(), 0, retryAfter, null);
    }

    /** Input with one or more field errors, all of them at once. */
    public static AssayException invalid(String message, List<FieldError> errors) {
        return invalid(message, errors, 0);
    }

    /**
     * Input with more field errors than are named.
     *
     * @param moreErrors how many there are beside {@code errors}
     */
    public static AssayException invalid(String message, List<FieldError> errors, int moreErrors) {
        return refused(ErrorCode.INVALID_INPUT, message, errors, moreErrors);
    }

    /** The same for another reason than a field that is wrong in itself. */
    public static AssayException refused(ErrorCode code, String message, List<FieldError> errors, int moreErrors) {
        return new AssayException(new Failure(code, message), List.copyOf(errors), moreErrors, null, null);
    }

    public Failure failure() {
        return failure;
    }

    public ErrorCode code() {
        return failure.code();
    }

    /** The fields at fault; empty when the failure is not about fields. */
    public List<FieldError> errors() {
        return errors;
    }

    /** The number of fields at fault beside those of {@link #errors}. */
    public int moreErrors() {
        return moreErrors;
    }

    /** When the same request may succeed; null: nothing says so. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
