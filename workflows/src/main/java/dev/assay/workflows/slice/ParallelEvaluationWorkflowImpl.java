package dev.assay.workflows.slice;

/** Runs one slice; see {@link SliceRun}. */
public final class ParallelEvaluationWorkflowImpl implements ParallelEvaluationWorkflow {

    @Override
    public SliceResult run(Slice slice) {
        return new SliceRun(slice).run();
    }
}
