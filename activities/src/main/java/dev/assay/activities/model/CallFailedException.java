package dev.assay.activities.model;

import dev.assay.domain.error.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failed attempt at a cell, with a classified reason. The cell is retried, or closed with the reason. */
public abstract class CallFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final @Nullable Duration retryAfter;
    private final transient CallSign sign;

    /**
     * A failure that says of its provider what its cause says.
     *
     * @param retryAfter how long the other side asks to wait; null when it does not say
     */
    protected CallFailedException(Failure failure, @Nullable Duration retryAfter, @Nullable Throwable cause) {
        this(failure, retryAfter, cause instanceof CallFailedException call ? call.sign : CallSign.NONE, cause);
    }

    /**
     * @param retryAfter how long the other side asks to wait; null when it does not say
     * @param sign what it says of whether the provider is there
     */
    protected CallFailedException(
            Failure failure, @Nullable Duration retryAfter, CallSign sign, @Nullable Throwable cause) {
        super(failure.message(), cause);
        this.failure = failure;
        this.retryAfter = retryAfter;
        this.sign = sign;
    }

    /** What it says of whether the provider is there. */
    public final CallSign sign() {
        return sign;
    }

    public final Failure failure() {
        return failure;
    }

    /** The wait that the other side asks for; null when it asks for none. */
    public final @Nullable Duration retryAfter() {
        return retryAfter;
    }
}
