package dev.assay.workflows.campaign;

import dev.assay.workflows.slice.BatchRule;
import io.temporal.workflow.Workflow;

/** The differences of a run that began before the code changed: see {@code docs/changing-a-workflow.md}. */
final class Changes {

    private boolean letsGo;
    private BatchRule batchRule = BatchRule.HALF;

    /** Finds out when the run began; to be called before it does anything else. */
    void look() {
        letsGo = Workflow.getVersion("let-slices-go", Workflow.DEFAULT_VERSION, 1) != Workflow.DEFAULT_VERSION;
        batchRule = BatchRule.ofRun();
    }

    /** The rule by which the run sizes its slices. */
    BatchRule batchRule() {
        return batchRule;
    }

    /**
     * Whether the run cancels slices that its campaign does not need any more, and cancels its campaign when an operator cancels
     * the run. Such a run also asks which search attributes there are before it sets them.
     */
    boolean letsGo() {
        return letsGo;
    }
}
