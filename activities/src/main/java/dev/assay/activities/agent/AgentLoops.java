package dev.assay.activities.agent;

import dev.assay.activities.tool.Toolbox;
import dev.assay.activities.tool.Toolboxes;
import dev.assay.work.compute.Computing;
import jakarta.inject.Singleton;

/** The runners of agents that are asked turn by turn, with the tools of their branch. */
@Singleton
public class AgentLoops {

    private final AgentRunner compacting;
    private final AgentRunner whole;

    public AgentLoops(Toolboxes toolboxes, Computing computing) {
        this.compacting = new LoopRunner(toolboxes, computing, true);
        this.whole = new LoopRunner(toolboxes, computing, false);
    }

    /**
     * The runner of a loop.
     *
     * @param compacts whether a conversation that outgrows the window of its branch is compacted; else it is sent whole
     */
    public AgentRunner of(boolean compacts) {
        return compacts ? compacting : whole;
    }

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
