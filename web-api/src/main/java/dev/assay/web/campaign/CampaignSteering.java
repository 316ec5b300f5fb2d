package dev.assay.web.campaign;

import dev.assay.domain.campaign.CampaignState;
import dev.assay.domain.error.AssayException;
import dev.assay.domain.error.ErrorCode;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Set;

/**
 * Pauses, resumes and cancels campaigns. Asking again for what is so already changes nothing, but tells the workflow again, in
 * case that it was not told the first time.
 */
@Singleton
public final class CampaignSteering {

    private static final Set<CampaignState> GOING_ON = EnumSet.of(CampaignState.PENDING, CampaignState.RUNNING);
    private static final Set<CampaignState> OPEN =
            EnumSet.of(CampaignState.PENDING, CampaignState.RUNNING, CampaignState.PAUSED);

    private final CampaignRepository campaigns;
    private final CampaignLauncher launcher;

    CampaignSteering(CampaignRepository campaigns, CampaignLauncher launcher) {
        this.campaigns = campaigns;
        this.launcher = launcher;
    }

    /**
     * Lets a campaign start nothing new. Calls under way are finished: the epoch stays.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when the campaign has ended
     */
    public StoredCampaign pause(String campaignId) {
        StoredCampaign campaign = campaigns
                .transition(campaignId, GOING_ON, CampaignState.PAUSED, false, null)
                .orElseGet(() -> alreadyIn(campaignId, EnumSet.of(CampaignState.PAUSED), "paused"));
        launcher.tell(campaign);
        return campaign;
    }

    /**
     * Lets a campaign that is paused or has ended go on with the cells that are open, under a new epoch.
     *
     * @throws AssayException NOT_FOUND
     */
    public StoredCampaign resume(String campaignId) {
        StoredCampaign campaign = campaigns
                .transition(
                        campaignId, EnumSet.complementOf(EnumSet.copyOf(GOING_ON)), CampaignState.RUNNING, true, null)
                .orElseGet(() -> restartedUnlessDriven(alreadyIn(campaignId, GOING_ON, "resumed")));
        launcher.wake(campaign);
        return campaign;
    }

    /**
     * Ends a campaign. Calls under way are aborted: the epoch moves on.
     *
     * @throws AssayException NOT_FOUND; CONFLICT when the campaign has ended otherwise
     */
    public StoredCampaign cancel(String campaignId) {
        StoredCampaign campaign = campaigns
                .transition(campaignId, OPEN, CampaignState.CANCELLED, true, null)
                .orElseGet(() -> alreadyIn(campaignId, EnumSet.of(CampaignState.CANCELLED), "cancelled"));
        launcher.tell(campaign);
        return campaign;
    }

    /** A campaign that should go on and has no workflow lost its process: a new epoch frees the claims of the dead. */
    private StoredCampaign restartedUnlessDriven(StoredCampaign campaign) {
        boolean driven = launcher.status(campaign.id())
                .filter(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING::equals)
                .isPresent();
        return driven ? campaign : campaigns.raiseEpoch(campaign.id(), GOING_ON).orElse(campaign);
    }

    private StoredCampaign alreadyIn(String campaignId, Set<CampaignState> states, String action) {
        StoredCampaign campaign = campaigns.find(campaignId).orElseThrow(() -> CampaignReads.missing(campaignId));
        if (!states.contains(campaign.state())) {
            throw new AssayException(
                    ErrorCode.CONFLICT,
                    "Campaign " + campaignId + " is " + campaign.state() + " and cannot be " + action);
        }
        return campaign;
    }
}
