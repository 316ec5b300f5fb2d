package dev.assay.activities.call;

import dev.assay.activities.cell.RunningCell;
import dev.assay.domain.outcome.LoopId;
import dev.assay.store.campaign.StoredCampaign;

/**
 * One attempt at one cell.
 *
 * @param number of the attempt, from 1
 * @param lostRuns workers that died after they had begun the cell, at least 0
 */
public record CellAttempt(StoredCampaign campaign, RunningCell cell, int number, int lostRuns) {

    /** Number of the trial. */
    public int ordinal() {
        return cell.key().ordinal();
    }

    /** The position of its trial in the order of the campaign. */
    public int position() {
        return campaign.order().position(ordinal());
    }

    /** The trial of its case, from 1. */
    public int trial() {
        return campaign.grid().trial(ordinal());
    }

    /** The cell's slot: the branch's index, or the number of the call in its trial. */
    public int slot() {
        return cell.key().slot();
    }

    /**
     * The loop of the cell.
     *
     * @param place among the trial's loops, from 0: its branches in order, then its judges
     * @param segment names who runs it
     */
    public LoopId loop(int place, String segment) {
        return campaign.loopId(ordinal(), place, segment);
    }
}
