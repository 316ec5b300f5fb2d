package dev.assay.workflows.slice;

import static java.util.Objects.requireNonNullElse;

import dev.assay.domain.plan.OrdinalRange;
import java.util.List;

/**
 * The result of an activity for a batch of trials.
 *
 * @param open trials that are still open, ascending
 * @param retryAfterMs milliseconds until the earliest of these may be tried again, at least 0
 * @param halted whether the campaign is no longer RUNNING in the batch's epoch; nothing more should be started
 * @param pace how long the cells took that this activity ran
 * @param unexplained whether trials are open of which none waits for a stated reason, such as the time of a retry. Histories that were
 *     recorded before there was this field read as false
 * @param referrals open trials that another queue's workers must go on with; null in histories that were recorded before
 * @param unanswered closed trials of a branch that have no answer which a judge could read. Null in histories that were recorded before,
 *     and empty where no model reads answers
 * @param out trials whose judges or graders are to be asked in a batch of their provider: the campaign plans them again when it has
 *     ended. Null in histories that were recorded before
 */
public record BatchResult(
        List<OrdinalRange> open,
        long retryAfterMs,
        boolean halted,
        Pace pace,
        boolean unexplained,
        List<Referral> referrals,
        List<OrdinalRange> unanswered,
        List<OrdinalRange> out) {

    public BatchResult {
        referrals = requireNonNullElse(referrals, List.of());
        unanswered = requireNonNullElse(unanswered, List.of());
        out = requireNonNullElse(out, List.of());
    }

    /**
     * Trials whose next judge the worker cannot ask.
     *
     * @param trials at least one
     */
    public record Referral(String taskQueue, List<OrdinalRange> trials) {}

    /** The result for a campaign that was paused meanwhile: all trials are open. */
    public static BatchResult halted(List<OrdinalRange> trials) {
        return new BatchResult(trials, 0, true, Pace.UNKNOWN);
    }

    /** A result without referrals whose closed trials have answers. */
    public BatchResult(List<OrdinalRange> open, long retryAfterMs, boolean halted, Pace pace, boolean unexplained) {
        this(open, retryAfterMs, halted, pace, unexplained, List.of(), List.of(), List.of());
    }

    /** A result whose open trials wait for a stated reason. */
    public BatchResult(List<OrdinalRange> open, long retryAfterMs, boolean halted, Pace pace) {
        this(open, retryAfterMs, halted, pace, false);
    }

    /** Whether cells were run. Where all are on record, none is open, and they took no time ({@link Pace#ofRecorded}). */
    boolean ranCells() {
        return pace.cells() > 0 && (pace.seconds() > 0 || !open.isEmpty());
    }

    /** Whether trials are open of which one waits for a stated reason. */
    boolean waits() {
        return !open.isEmpty() && retryAfterMs > 0 && !unexplained;
    }
}
