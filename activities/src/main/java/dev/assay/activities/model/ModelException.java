package dev.assay.activities.model;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request that got no usable reply, classified once, here. */
public final class ModelException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final @Nullable Duration retryAfter;

    /**
     * @param retryAfter how long the provider asks to wait; null when it does not say
     */
    public ModelException(ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(message, cause);
        this.failure = new Failure(code, message);
        this.retryAfter = retryAfter;
    }

    public Failure failure() {
        return failure;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
