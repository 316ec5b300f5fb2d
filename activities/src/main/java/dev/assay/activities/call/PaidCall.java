package dev.assay.activities.call;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.OutcomeStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The part of an attempt that differs by the kind of cell: the model, the request, and the record of its end. */
public interface PaidCall {

    /** Who is asked. */
    Agent agent();

    /** Why no request is sent any more; null: requests are sent. */
    default @Nullable Failure refusal() {
        return null;
    }

    /** Whether its answer can still matter; asked when its turn has come. */
    default boolean isNeeded() {
        return true;
    }

    /** Tells listeners that the cell begins: its first attempt does. */
    void begins();

    /**
     * Asks. What was said before an exception is kept for {@link #close}.
     *
     * @return records the answer and closes the cell; run when nothing can stop the cell any more
     * @throws dev.assay.activities.model.CallFailedException when the attempt failed
     * @throws InterruptedException when the cell was stopped
     */
    Runnable ask(ResolvedModel model, LedgeredClient client) throws InterruptedException;

    /** Tells listeners that another attempt follows. */
    default void repeats(Failure failure, int maxAttempts, Duration delay) {}

    /** Records that the cell ended without an answer, with what was said and used until then. */
    void close(OutcomeStatus status, Failure failure);

    /** What was said may be at fault: nothing of it is recorded. */
    default void forget() {}
}
