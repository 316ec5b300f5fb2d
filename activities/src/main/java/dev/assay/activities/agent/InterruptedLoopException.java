package dev.assay.activities.agent;

import dev.assay.domain.agent.LoopSoFar;

/** An agent loop whose thread was interrupted. It keeps the usage until then, which was paid for. */
public final class InterruptedLoopException extends InterruptedException {

    private static final long serialVersionUID = 1L;

    private final transient LoopSoFar soFar;

    /** @param soFar what it had said and used */
    public InterruptedLoopException(InterruptedException cause, LoopSoFar soFar) {
        super(cause.getMessage());
        initCause(cause);
        this.soFar = soFar;
    }

    /** The same interruption of a loop with the messages and usage of {@code earlier} before it. */
    public InterruptedLoopException after(LoopSoFar earlier) {
        return new InterruptedLoopException(this, earlier.then(soFar));
    }

    /** The messages and usage of the loop. */
    public LoopSoFar soFar() {
        return soFar;
    }
}
