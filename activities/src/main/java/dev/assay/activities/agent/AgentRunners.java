package dev.assay.activities.agent;

import dev.assay.activities.tool.Toolbox;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.domain.agent.Agent;
import dev.assay.work.compute.Computing;
import jakarta.inject.Singleton;

/** The choice of the runner of an agent that is asked turn by turn. */
@Singleton
public class AgentRunners {

    private final AgentRunner loop;
    private final AgentRunner wholeLoop;

    public AgentRunners(Toolboxes toolboxes, Computing computing) {
        this.loop = new LoopRunner(toolboxes, computing, true);
        this.wholeLoop = new LoopRunner(toolboxes, computing, false);
    }

    /** The runner of {@code agent}. */
    public AgentRunner of(Agent agent) {
        return switch (agent) {
            case Agent.Model _, Agent.Scripted _, Agent.Http _ -> loop;
            // A recorded answer is found by the whole conversation.
            case Agent.Replay _ -> wholeLoop;
            case Agent.Command _ ->
                throw new IllegalArgumentException("A program has a runner for each attempt; see Programs");
        };
    }

    /** A runner of an agent loop with the tools of its branch. */
    private record LoopRunner(Toolboxes toolboxes, Computing computing, boolean compacts) implements AgentRunner {

        @Override
        public AgentResult run(AgentTask task, AgentContext context) throws InterruptedException {
            try (Toolbox toolbox = toolboxes.open(
                    task.branch().tools(), context.caseTime(), task.loop().queue())) {
                return new AgentLoop(
                                context.nanoTime(), context.listener(), toolbox, context.record(), computing, compacts)
                        .run(task, context.client());
            }
        }
    }
}
