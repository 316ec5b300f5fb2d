package dev.assay.activities.code;

import dev.assay.activities.agent.AgentRunner;
import dev.assay.activities.call.RunnableKind;
import dev.assay.activities.command.CodePermission;
import dev.assay.activities.model.ModelClient;
import dev.assay.domain.agent.CodeAgent;

/**
 * The way to ask own code in one language.
 *
 * @param <A> the agents of the language
 */
abstract class CodeAgents<A extends CodeAgent> implements RunnableKind<A> {

    private final CodeProcesses processes;
    private final CodePermission permission;
    private final CodePlacing placing;

    CodeAgents(CodeProcesses processes, CodePermission permission, CodePlacing placing) {
        this.processes = processes;
        this.permission = permission;
        this.placing = placing;
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
            placing.leave(running.attempt(), agent.code().script().need());
            return loop.run(task, context);
        };
    }
}
