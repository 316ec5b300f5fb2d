package dev.assay.activities.code;

import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.call.CellAttempt;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.cell.StopReason;
import dev.assay.activities.command.CodePermission;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.CodeAgent;
import dev.assay.domain.campaign.CodeFiles;
import dev.assay.domain.check.code.CodeNeed;
import dev.assay.domain.grading.OwnCode;
import dev.assay.store.provider.ProviderQueries;

/**
 * The way to ask own code in one language.
 *
 * @param <A> the agents of the language
 */
abstract class CodeAgents<A extends CodeAgent> implements RunnableKind<A> {

    private final CodeProcesses processes;
    private final CodePermission permission;
    private final ProviderQueries workers;

    CodeAgents(CodeProcesses processes, CodePermission permission, ProviderQueries workers) {
        this.processes = processes;
        this.permission = permission;
        this.workers = workers;
    }

    @Override
    public ModelClient client(A agent, Asking asking) {
        return new CodeAgentClient(processes, agent.code(), asking);
    }

    @Override
    public boolean canAsk(A agent) {
        return permission.offers(agent.code().script().need());
    }

    @Override
    public AgentRunner runner(A agent, Running running, AgentRunner loop) {
        return (task, context) -> {
            leave(agent, running.attempt());
            return loop.run(task, context);
        };
    }

    /** Leaves the cell to another worker, where this one may not run the code and another may. */
    private void leave(A agent, CellAttempt attempt) throws InterruptedException {
        CodeFiles files = attempt.campaign().definition().code();
        CodeNeed need = agent.code().script().need();
        if (permission.leaves(files, need)
                && workers.offers().stream().anyMatch(offer -> OwnCode.refusal(need, files, offer) == null)) {
            attempt.cell().stop(StopReason.NO_PERMIT);
            throw new InterruptedException(
                    "This worker may not run the code of " + agent.name().model());
        }
    }
}
