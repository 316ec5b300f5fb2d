package dev.assay.activities.call;

import dev.assay.activities.cell.RunningCell;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.error.Failure;
import dev.assay.domain.outcome.LoopId;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.plan.Placement;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.store.cell.AttemptKey;
import dev.assay.store.journal.JournalEntry.Begin;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one cell.
 *
 * @param number of the attempt, from 1
 * @param lostAttempts of the earlier ones, those that were lost with their workers, at least 0
 * @param lostRuns workers that died after they had begun the cell, at least 0
 * @param excused attempts before it that do not count, since the provider was down or refused them, at least 0
 */
public record CellAttempt(
        StoredCampaign campaign, RunningCell cell, int number, int lostAttempts, int lostRuns, int excused) {

    private static final Failure EXHAUSTED = new Failure(
            ErrorCode.INTERNAL, "All of its attempts have begun, and the end of the last one could not be recorded.");

    /** Attempts that may begin: those of the definition, and some for those that were lost. */
    public int mostAttempts() {
        return definedAttempts() + Math.min(lostAttempts, Begin.MOST_LOST);
    }

    /** The same without those that may be lost. */
    public int definedAttempts() {
        return campaign.definition().limits().maxAttempts();
    }

    /** Why it may not begin: too many workers died with the cell, or no attempt is left. Null: it may. */
    @Nullable
    Failure refusal() {
        if (Placement.after(lostRuns) == Placement.NOWHERE) {
            return Placement.LOST;
        }
        return number <= mostAttempts() ? null : EXHAUSTED;
    }

    /** The attempts of the cell if it ends with {@code status}, this one included where it counts. */
    public int counted(OutcomeStatus status) {
        return status == OutcomeStatus.NOT_NEEDED || refusal() != null ? number - 1 : number;
    }

    /** Whether no attempt before it came to an end. */
    public boolean isFirst() {
        return number - lostAttempts <= 1 && excused == 0;
    }

    /** The same once more: it counted for nothing. */
    CellAttempt again() {
        return new CellAttempt(campaign, cell, number, lostAttempts, lostRuns, excused + 1);
    }

    /** Its key under the claim of a worker. */
    public AttemptKey key(String workerId) {
        return new AttemptKey(cell.claim(workerId), number);
    }

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
     */
    public LoopId loop(int place, String segment) {
        return campaign.loopId(ordinal(), place, segment);
    }

    /** The queue in which it waits its turn where something is computed. */
    public String queue() {
        return loop(slot(), "").queue();
    }
}
