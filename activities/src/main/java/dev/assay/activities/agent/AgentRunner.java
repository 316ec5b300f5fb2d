package dev.assay.activities.agent;

/** The runner of agents of one kind. */
public interface AgentRunner {

    /**
     * Makes one attempt.
     *
     * @throws dev.assay.activities.model.CallFailedException when the attempt failed; an {@link AgentLoopException} has the usage
     *     until then
     * @throws InterruptedException when the cell was stopped; an {@link InterruptedLoopException} has the usage until then
     */
    AgentResult run(AgentTask task, AgentContext context) throws InterruptedException;
}
