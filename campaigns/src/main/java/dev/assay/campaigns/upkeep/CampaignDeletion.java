package dev.assay.campaigns.upkeep;

import dev.assay.campaigns.launch.CampaignHistories;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.retention.RetentionRules;
import dev.assay.store.StoreException;
import dev.assay.store.removal.RemovalRepository;
import dev.assay.store.removal.RemovalRepository.Position;
import dev.assay.store.removal.RemovalRepository.Step;
import jakarta.inject.Singleton;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes campaigns that have ended. A server that stays hides them and leaves their rows to {@link Retention}; one that ends with its
 * command removes them at once.
 */
@Singleton
public final class CampaignDeletion {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignDeletion.class);

    /** Rows of one transaction: less than a second's work, and little beside what it costs. */
    private static final int ROWS = 2_000;

    /** Its rows have no order in an index: fewer steps read over fewer rows that are gone. */
    private static final int LEDGER_ROWS = 5 * ROWS;

    private final RemovalRepository removal;
    private final CampaignHistories histories;
    private final RetentionRules rules;
    private volatile boolean inBackground;

    /** Settings of an operator are given where the server starts. */
    CampaignDeletion(RemovalRepository removal, CampaignHistories histories, @Nullable RetentionRules rules) {
        this.removal = removal;
        this.histories = histories;
        this.rules = rules == null ? RetentionRules.NONE : rules;
    }

    /** What is told of each step, and says whether to go on. */
    interface Pace {

        /** Waits as long as the removal of {@code rows} rows is to take; false: this process ends. */
        boolean after(int rows);
    }

    RetentionRules rules() {
        return rules;
    }

    /** From now on rows of deleted campaigns go in the background. */
    void leaveToBackground() {
        inBackground = true;
    }

    /**
     * Deletes a campaign with all that is its own. It is found nowhere when this returns.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it has not ended
     */
    public void delete(String campaignId) {
        if (!removal.begin(campaignId) && inBackground) {
            throw new AssayException(ErrorCode.NOT_FOUND, "There is no campaign " + campaignId);
        }
        if (!inBackground && removeRows(campaignId, _ -> true)) {
            removeLedgers(_ -> true);
        }
    }

    /** Removes the rows of all campaigns that were deleted, and ledgers whose time has come. */
    void goOn(Pace pace) {
        for (String campaignId : removal.begun()) {
            try {
                if (!removeRows(campaignId, pace)) {
                    return;
                }
            } catch (StoreException e) {
                LOG.warn("PostgreSQL refuses to remove rows of campaign {}; it stays hidden", campaignId, e);
            }
        }
        removeLedgers(pace);
    }

    /** False: it was interrupted, and goes on with the next server. */
    private boolean removeRows(String campaignId, Pace pace) {
        histories.forget(campaignId);
        Position position = Position.START;
        while (position != null) {
            Step step = removal.remove(campaignId, position, ROWS);
            if (!pace.after(step.removed())) {
                return false;
            }
            position = step.next();
        }
        removal.finish(campaignId, rules.ledger());
        LOG.info("Campaign {} is deleted", campaignId);
        return true;
    }

    private void removeLedgers(Pace pace) {
        for (String campaignId : removal.ledgersDue()) {
            int removed;
            do {
                removed = removal.removeLedger(campaignId, LEDGER_ROWS);
                if (!pace.after(removed)) {
                    return;
                }
            } while (removed > 0);
        }
    }
}
