package dev.assay.activities.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of an attempt that differs by the kind of cell: the model, the request, and the record of its end. */
public interface PaidCall {

    /** The agent that is asked. */
    Agent agent();

    /** The vars of the case that it is asked for. */
    default Map<String, JsonNode> vars() {
        return Map.of();
    }

    /** The reason why no further request is sent; null: requests are sent. */
    default @Nullable Failure refusal() {
        return null;
    }

    /** Whether its answer can still matter; called when its turn has come. */
    default boolean isNeeded() {
        return true;
    }

    /**
     * Does what comes before a model is asked and takes no place from other calls.
     *
     * @throws dev.assay.activities.model.CallFailedException when the attempt failed
     * @throws InterruptedException when the cell was stopped
     */
    default void prepare() throws InterruptedException {}

    /** Whether a stored answer may stand in for the one that is asked for. */
    default boolean mayReuse() {
        return false;
    }

    /**
     * Records a stored answer and closes the cell, where there is one. Nobody is asked, and no attempt begins.
     *
     * @return whether it did
     * @throws InterruptedException when the cell was stopped
     */
    default boolean reuse() throws InterruptedException {
        return false;
    }

    /** Emits the begin of the cell: its first attempt begins. */
    void begins();

    /**
     * Asks. Messages before an exception are kept for {@link #close}.
     *
     * @return records the answer and closes the cell; runs when nothing can stop the cell any more
     * @throws dev.assay.activities.model.CallFailedException when the attempt failed
     * @throws InterruptedException when the cell was stopped
     */
    Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException;

    /** Emits that another attempt follows. */
    default void repeats(Failure failure, int maxAttempts, Duration delay) {}

    /** Records that the cell ended without an answer, with its messages and usage until then. */
    void close(OutcomeStatus status, Failure failure);

    /** Drops the messages so far, which may be at fault: none of them is recorded. */
    default void forget() {}
}
