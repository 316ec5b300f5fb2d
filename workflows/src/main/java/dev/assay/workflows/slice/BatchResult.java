package dev.assay.workflows.slice;

import dev.assay.domain.plan.OrdinalRange;
import java.util.List;

/**
 * What an activity did for a batch of trials.
 *
 * @param open trials that are still open, ascending
 * @param retryAfterMs milliseconds until the earliest of these may be tried again, at least 0
 * @param halted whether the campaign is no longer RUNNING in the batch's epoch; nothing more should be started
 * @param pace how long the cells took that this activity ran
 * @param unexplained whether trials are open of which none waits for a stated reason, such as the time of a retry. Histories that were
 *     recorded before there was this field read as false
 */
public record BatchResult(List<OrdinalRange> open, long retryAfterMs, boolean halted, Pace pace, boolean unexplained) {

    /** A result whose open trials wait for a stated reason. */
    public BatchResult(List<OrdinalRange> open, long retryAfterMs, boolean halted, Pace pace) {
        this(open, retryAfterMs, halted, pace, false);
    }
}
