package dev.assay.activities.agent;

import dev.assay.activities.provider.ModelException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.message.Message;
import dev.assay.domain.usage.Usage;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An agent loop that ended without a result: a turn failed, or the cell's time ran out (code CELL_TIMED_OUT). What was
 * used until then was paid for, and is kept here.
 */
public final class AgentLoopException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Failure failure;
    private final @Nullable Duration retryAfter;
    private final transient AgentProgress progress;

    AgentLoopException(ModelException cause, AgentProgress progress) {
        this(cause.failure(), cause.retryAfter(), progress, cause);
    }

    AgentLoopException(Failure failure, AgentProgress progress, @Nullable Throwable cause) {
        this(failure, null, progress, cause);
    }

    private AgentLoopException(
            Failure failure, @Nullable Duration retryAfter, AgentProgress progress, @Nullable Throwable cause) {
        super(failure.message(), cause);
        this.failure = failure;
        this.retryAfter = retryAfter;
        this.progress = progress;
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

    /** Tokens of the turns that were answered. */
    public Usage usage() {
        return progress.usage();
    }

    /** Cost of the turns that were answered; null when there are none, or when that of any is not known. */
    public @Nullable BigDecimal costUsd() {
        return progress.costUsd();
    }

    /** Time that the model took to reply, over the turns that were answered. */
    public Duration latency() {
        return progress.latency();
    }

    /** The prompts and what was said until then. */
    public List<Message> newMessages() {
        return progress.newMessages();
    }

    /** Text of the last assistant message that has one; empty when none has. */
    public String response() {
        return progress.response();
    }
}
