package dev.assay.activities.call;

import dev.assay.activities.agent.AgentEvents;

/** The factory of the calls for the cells of one kind in one activity. */
@FunctionalInterface
public interface PaidCalls {

    /**
     * The call of one attempt.
     *
     * @param listener receives the events of its loop
     */
    PaidCall of(CellAttempt attempt, AgentEvents listener);
}
