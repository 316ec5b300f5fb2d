package dev.assay.activities.provider.delivery;

import dev.assay.activities.model.CallSign;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.error.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call to a batch API that got no usable answer. The batch is as it was. */
public final class BatchCallException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final ModelException classified;

    /**
     * @param status of HTTP; 0: no answer came
     * @param classified the same as the failure of a live call
     */
    BatchCallException(int status, ModelException classified) {
        super(classified.failure().message(), classified);
        this.status = status;
        this.classified = classified;
    }

    /** The HTTP status of the answer; 0: none came. */
    public int status() {
        return status;
    }

    /** The same as the failure of a live call. */
    public ModelException asLive() {
        return classified;
    }

    /** What happened, without the key. */
    public Failure failure() {
        return classified.failure();
    }

    /** How long the provider asks to wait; null: it does not say. */
    public @Nullable Duration retryAfter() {
        return classified.retryAfter();
    }

    /** What it says of the key. */
    public CallSign sign() {
        return classified.sign();
    }

    /** Whether another key of the provider may reach what this one does not: 401, 403 and 404. */
    public boolean asksForAnotherKey() {
        return status == 401 || status == 403 || status == 404;
    }
}
