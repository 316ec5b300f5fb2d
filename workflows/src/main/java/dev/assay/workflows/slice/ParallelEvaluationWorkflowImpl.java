package dev.assay.workflows.slice;

import dev.assay.workflows.UnexpectedFailure;

/** Runs one slice; see {@link SliceRun}. */
public final class ParallelEvaluationWorkflowImpl implements ParallelEvaluationWorkflow {

    @Override
    public SliceResult run(Slice slice) {
        return UnexpectedFailure.surfaced(() -> new SliceRun(slice).run());
    }
}
