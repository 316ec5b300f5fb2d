package dev.assay.workflows.campaign;

import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a campaign in PostgreSQL: counters only.
 *
 * @param trialsFailed of these, the ones with a cell that ended in MODEL_ERROR or TIMED_OUT
 * @param cellsDone cells with a final outcome, of all branches
 * @param cellsPassed of these, the ones that passed
 * @param branches the first {@link #MOST_BRANCHES} branches, in order
 * @param health OK, WAITING or STALLED
 * @param reasons what holds cells up, in sentences of at most {@link #MOST_REASON_CHARACTERS} characters
 * @param passRate cells that passed, of those of which something is known, 0–1; null when nothing is, or the worker's build does not say
 *     it
 */
public record Observation(
        String state,
        long trialsTotal,
        long trialsDone,
        long trialsFailed,
        long cellsDone,
        long cellsPassed,
        List<BranchCounts> branches,
        int branchesTotal,
        String health,
        List<String> reasons,
        @Nullable Double passRate) {

    /** An observation of a worker whose build does not say the pass rate. */
    public Observation(
            String state,
            long trialsTotal,
            long trialsDone,
            long trialsFailed,
            long cellsDone,
            long cellsPassed,
            List<BranchCounts> branches,
            int branchesTotal,
            String health,
            List<String> reasons) {
        this(
                state,
                trialsTotal,
                trialsDone,
                trialsFailed,
                cellsDone,
                cellsPassed,
                branches,
                branchesTotal,
                health,
                reasons,
                null);
    }

    /** Keeps an observation below 16 KB. */
    public static final int MOST_BRANCHES = 40;

    /** Together with {@link #MOST_REASONS}, for the same. */
    public static final int MOST_REASON_CHARACTERS = 300;

    /** The most reasons. */
    public static final int MOST_REASONS = 8;

    public Observation {
        branches = List.copyOf(branches);
        reasons = List.copyOf(reasons);
    }

    /** As a worker says it, else of the counts. */
    @Nullable
    Double shownRate() {
        return passRate != null ? passRate : cellsDone == 0 ? null : (Double) ((double) cellsPassed / cellsDone);
    }

    /** A mark that is equal for observations that show the same. Reasons do not count: their words contain seconds. */
    public String mark() {
        return state + " " + health + " " + trialsTotal + " " + trialsDone + " " + trialsFailed + " " + cellsDone + " "
                + cellsPassed;
    }

    /**
     * The progress of one branch.
     *
     * @param branchId for people, at most 64 characters
     * @param cellsPassed of these, the ones that passed
     * @param cellsFailed of these, the ones that ended in MODEL_ERROR or TIMED_OUT
     * @param wins trials that it won by a decided selection
     * @param costUsd sum of the known costs in US dollars; null where no price is known
     * @param passRate cells that passed, of those of which something is known, 0–1; null when nothing is, or the worker's build does not
     *     say it
     */
    public record BranchCounts(
            String branchId,
            long cellsDone,
            long cellsPassed,
            long cellsFailed,
            long wins,
            @Nullable BigDecimal costUsd,
            @Nullable Double passRate) {

        /** Counts of a worker whose build does not say the pass rate. */
        public BranchCounts(
                String branchId,
                long cellsDone,
                long cellsPassed,
                long cellsFailed,
                long wins,
                @Nullable BigDecimal costUsd) {
            this(branchId, cellsDone, cellsPassed, cellsFailed, wins, costUsd, null);
        }

        /** As a worker says it, else of the counts. */
        @Nullable
        Double shownRate() {
            return passRate != null ? passRate : cellsDone == 0 ? null : (Double) ((double) cellsPassed / cellsDone);
        }
    }
}
