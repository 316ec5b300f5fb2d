package dev.assay.workflows.slice;

/** The workflow of one slice; see {@link SliceRun}. */
public final class ParallelEvaluationWorkflowImpl implements ParallelEvaluationWorkflow {

    @Override
    public SliceResult run(Slice slice) {
        return new SliceRun(slice).run();
    }
}
