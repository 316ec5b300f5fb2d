package dev.assay.activities.agent;

/** An agent loop whose thread was interrupted. What was used until then was paid for, and is kept here. */
public final class InterruptedLoopException extends InterruptedException {

    private static final long serialVersionUID = 1L;

    private final transient AgentProgress progress;

    InterruptedLoopException(InterruptedException cause, AgentProgress progress) {
        super(cause.getMessage());
        initCause(cause);
        this.progress = progress;
    }

    /** How far the loop had come. */
    public AgentProgress progress() {
        return progress;
    }
}
