package dev.assay.activities.agent;

import dev.assay.activities.model.ModelException;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An agent loop that ended without a result: a turn failed, an input filter refused the prompt, or the cell's time ran out
 * (code CELL_TIMED_OUT). What was used until then was paid for, and is kept here.
 */
public final class AgentLoopException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final @Nullable Duration retryAfter;
    private final transient LoopSoFar soFar;

    AgentLoopException(ModelException cause, LoopSoFar soFar) {
        this(cause.failure(), cause.retryAfter(), soFar, cause);
    }

    AgentLoopException(Failure failure, LoopSoFar soFar, @Nullable Throwable cause) {
        this(failure, null, soFar, cause);
    }

    private AgentLoopException(
            Failure failure, @Nullable Duration retryAfter, LoopSoFar soFar, @Nullable Throwable cause) {
        super(failure.message(), cause);
        this.failure = failure;
        this.retryAfter = retryAfter;
        this.soFar = soFar;
    }

    public Failure failure() {
        return failure;
    }

    /** Whether the cell's own time ran out, rather than a turn failing. */
    public boolean isCellTimeout() {
        return failure.code() == ErrorCode.CELL_TIMED_OUT;
    }

    /** How long the provider asks to wait; null when it does not say. */
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** What it had said and used. */
    public LoopSoFar soFar() {
        return soFar;
    }
}
