package dev.assay.activities.model;

import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A request that got no usable reply. Its error is classified once, here. */
public final class ModelException extends CallFailedException {

    private static final long serialVersionUID = 1L;

    /**
     * @param retryAfter how long the provider asks to wait; null when it does not say
     */
    public ModelException(ErrorCode code, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        super(new Failure(code, message), retryAfter, cause);
    }

    /**
     * @param retryAfter how long the provider asks to wait; null when it does not say
     * @param sign what it says of whether the provider is there
     */
    public ModelException(
            ErrorCode code, String message, @Nullable Duration retryAfter, CallSign sign, @Nullable Throwable cause) {
        super(new Failure(code, message), retryAfter, sign, cause);
    }
}
