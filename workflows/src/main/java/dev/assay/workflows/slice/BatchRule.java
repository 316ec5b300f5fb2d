package dev.assay.workflows.slice;

import io.temporal.workflow.Workflow;

/** The rule by which a run sizes its batches and windows. A run keeps the rule that it began with. */
public enum BatchRule {

    /** Batches of at most half of {@code maxConcurrent}; the rule of builds before November 2026. */
    HALF {
        @Override
        int batchTrials(Pace pace, int cellsTotal, int maxConcurrent) {
            return Math.min(pace.batchTrials(cellsTotal, maxConcurrent), Math.max(1, maxConcurrent / 2));
        }

        @Override
        int window(int planned, int batchTrials) {
            return planned;
        }
    },

    /** Batches as large as the measured speed asks for, and windows with room for two of them. Small campaigns have one cell an activity. */
    PACED {
        @Override
        int batchTrials(Pace pace, int cellsTotal, int maxConcurrent) {
            return pace.batchTrials(cellsTotal, maxConcurrent);
        }

        @Override
        int window(int planned, int batchTrials) {
            return roomForTwo(planned, batchTrials);
        }
    },

    /** The same, for small campaigns too where their cells are fast. */
    FAST {
        @Override
        int batchTrials(Pace pace, int cellsTotal, int maxConcurrent) {
            return pace.fastBatchTrials(cellsTotal, maxConcurrent);
        }

        @Override
        int window(int planned, int batchTrials) {
            return roomForTwo(planned, batchTrials);
        }
    };

    private static final String PACED_BATCHES = "batches-follow-the-pace";

    /** The rule of the workflow run that asks; to be called before the run does anything that depends on it. */
    public static BatchRule ofRun() {
        return switch (Workflow.getVersion(PACED_BATCHES, Workflow.DEFAULT_VERSION, 2)) {
            case Workflow.DEFAULT_VERSION -> HALF;
            case 1 -> PACED;
            default -> FAST;
        };
    }

    /**
     * This rule for a campaign.
     *
     * @param stops whether it may stop before its last trial: what a batch has begun would be asked in vain
     * @param judged whether models read its answers, which takes longer than the cells: trials of one batch are done at one time
     */
    public BatchRule where(boolean stops, boolean judged) {
        return (stops || judged) && this == FAST ? PACED : this;
    }

    private static int roomForTwo(int planned, int batchTrials) {
        return batchTrials == 1 ? planned : Math.max(planned, 2 * batchTrials);
    }

    /** The trials of a batch at this speed, 1–50 (see {@link dev.assay.domain.plan.BatchSize}). */
    abstract int batchTrials(Pace pace, int cellsTotal, int maxConcurrent);

    /**
     * The cells that a slice may have in branch activities at once.
     *
     * @param planned the window that the slice was given
     * @param batchTrials the trials of a batch at the speed that is known now
     */
    abstract int window(int planned, int batchTrials);
}
