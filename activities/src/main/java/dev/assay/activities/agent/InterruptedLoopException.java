package dev.assay.activities.agent;

import dev.assay.domain.agent.LoopSoFar;

/** An agent loop whose thread was interrupted. What was used until then was paid for, and is kept here. */
public final class InterruptedLoopException extends InterruptedException {

    private static final long serialVersionUID = 1L;

    private final transient LoopSoFar soFar;

    /** @param soFar what it had said and used */
    public InterruptedLoopException(InterruptedException cause, LoopSoFar soFar) {
        super(cause.getMessage());
        initCause(cause);
        this.soFar = soFar;
    }

    /** The same interruption of a loop that had said and used {@code earlier} before. */
    public InterruptedLoopException after(LoopSoFar earlier) {
        return new InterruptedLoopException(this, earlier.then(soFar));
    }

    /** What it had said and used. */
    public LoopSoFar soFar() {
        return soFar;
    }
}
