package dev.assay.workflows.campaign;

import dev.assay.workflows.campaign.PlanActivities.SlicePlan;
import dev.assay.workflows.slice.ParallelEvaluationWorkflow.SliceResult;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TerminatedFailure;

/** The end of a slice. */
sealed interface SliceEnd {

    /** The slice ended as it should. */
    record Finished(SliceResult result) implements SliceEnd {}

    /** The slice never ran: a slice of an earlier run of the campaign's workflow still holds its id. */
    record Collided(SlicePlan plan) implements SliceEnd {}

    /** A person cancelled or terminated it in Temporal. Its open trials are planned again. */
    record Stopped() implements SliceEnd {}

    /** The slice cannot go on, and neither can the campaign. */
    record Failed(String reason) implements SliceEnd {}

    /** The end of slice {@code number}, which failed with {@code failure}. */
    static SliceEnd of(int number, SlicePlan plan, RuntimeException failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof ApplicationFailure)) {
            cause = cause.getCause();
        }
        if (cause instanceof WorkflowExecutionAlreadyStarted) {
            return new Collided(plan);
        }
        if (cause instanceof CanceledFailure || cause instanceof TerminatedFailure) {
            return new Stopped();
        }
        return new Failed("Slice " + number + " failed: " + FailureText.of(failure));
    }
}
