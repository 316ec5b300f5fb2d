package dev.assay.activities.agent;

import dev.assay.activities.model.CallFailedException;
import dev.assay.activities.model.ModelException;
import dev.assay.domain.agent.LoopSoFar;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import org.jspecify.annotations.Nullable;

/**
 * An agent loop that ended without a result: a turn failed, an input filter refused the prompt, or the cell's time ran out (code
 * CELL_TIMED_OUT). It keeps the usage until then, which was paid for.
 */
public final class AgentLoopException extends CallFailedException {

    private static final long serialVersionUID = 1L;

    private final transient LoopSoFar soFar;

    AgentLoopException(ModelException cause, LoopSoFar soFar) {
        super(cause.failure(), cause.retryAfter(), cause);
        this.soFar = soFar;
    }

    /** @param soFar what it had said and used */
    public AgentLoopException(Failure failure, LoopSoFar soFar, @Nullable Throwable cause) {
        super(failure, null, cause);
        this.soFar = soFar;
    }

    private AgentLoopException(AgentLoopException loop, LoopSoFar soFar) {
        super(loop.failure(), loop.retryAfter(), loop);
        this.soFar = soFar;
    }

    /** The same failure of a loop with the messages and usage of {@code earlier} before it. */
    public AgentLoopException after(LoopSoFar earlier) {
        return new AgentLoopException(this, earlier.then(soFar));
    }

    /** Whether the cell's own time ran out, rather than a turn failing. */
    public boolean isCellTimeout() {
        return failure().code() == ErrorCode.CELL_TIMED_OUT;
    }

    /** The messages and usage of the loop. */
    public LoopSoFar soFar() {
        return soFar;
    }
}
