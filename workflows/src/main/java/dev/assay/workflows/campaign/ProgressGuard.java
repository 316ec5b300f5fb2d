package dev.assay.workflows.campaign;

/**
 * Notices a campaign that makes no progress: slices run, no trial gets done, and none waits for the time of a retry. It does not
 * know the reason; it only keeps such a campaign from costing money and history for ever.
 */
final class ProgressGuard {

    /** One round may be lost to a race with a user or an outage; three in succession are no accident. */
    static final int ROUNDS = 3;

    /** The same for rounds so long that the workflow continues as new before they end. */
    static final int SLICES = 100;

    private int slices;
    private int rounds;
    private boolean idle = true;

    /** Notes a slice that ended. */
    void slice(int trialsDone, boolean waiting) {
        if (trialsDone > 0 || waiting) {
            reset();
            idle = false;
        } else {
            slices++;
        }
    }

    /** Notes a slice that a person ended in Temporal: that is no lack of progress, unless it goes on for ever. */
    void sliceStopped() {
        slices++;
        idle = false;
    }

    /** Notes that everything that was open has been tried once. */
    void roundEnded() {
        rounds = idle ? rounds + 1 : 0;
        idle = true;
    }

    /** Resets all counts: the campaign has changed. */
    void reset() {
        slices = 0;
        rounds = 0;
        idle = true;
    }

    /** Whether the campaign should be given up. */
    boolean stuck() {
        return rounds >= ROUNDS || slices >= SLICES;
    }
}
