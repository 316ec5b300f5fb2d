package dev.assay.workflows;

import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;
import java.util.function.Supplier;

/**
 * Lets a defect end a workflow. Temporal would repeat the failing workflow task for ever, and nobody who looks at the
 * campaign would see why it stands still.
 */
public final class UnexpectedFailure {

    /** The failure type under which defects appear in Temporal. */
    public static final String TYPE = "INTERNAL";

    private UnexpectedFailure() {}

    /** What {@code work} returns; an exception that is not Temporal's own becomes a failure that is not retried. */
    public static <T> T surfaced(Supplier<T> work) {
        try {
            return work.get();
        } catch (TemporalFailure failure) {
            throw failure;
        } catch (RuntimeException defect) {
            throw ApplicationFailure.newNonRetryableFailureWithCause("Unexpected: " + defect, TYPE, defect);
        }
    }
}
