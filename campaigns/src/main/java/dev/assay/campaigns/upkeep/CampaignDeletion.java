package dev.assay.campaigns.upkeep;

import dev.assay.campaigns.launch.CampaignHistories;
import dev.assay.domain.error.AssayException;
import dev.assay.store.removal.RemovalRepository;
import jakarta.inject.Singleton;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes campaigns that have ended. */
@Singleton
public final class CampaignDeletion {

    private static final Logger LOG = LoggerFactory.getLogger(CampaignDeletion.class);

    private final RemovalRepository removal;
    private final CampaignHistories histories;

    CampaignDeletion(RemovalRepository removal, CampaignHistories histories) {
        this.removal = removal;
        this.histories = histories;
    }

    /**
     * Deletes a campaign with all that is its own; returns when it is gone. After an interruption, asking again resumes, and so
     * does {@link #goOn}.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when it has not ended
     */
    public void delete(String campaignId) {
        removal.begin(campaignId);
        finish(campaignId);
    }

    /** Resumes the deletions that a server did not finish. */
    void goOn() {
        removal.begun().forEach(campaignId -> {
            LOG.info("Campaign {} was being deleted; that goes on", campaignId);
            finish(campaignId);
        });
    }

    private void finish(String campaignId) {
        histories.forget(campaignId);
        while (removal.removePiece(campaignId)) {
            LOG.debug("More of campaign {} is to be deleted", campaignId);
        }
        removal.finish(campaignId);
        LOG.info("Campaign {} is deleted", campaignId);
    }
}
