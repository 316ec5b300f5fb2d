package dev.assay.standalone.engine.installation;

import dev.assay.campaigns.launch.CampaignLauncher;
import dev.assay.domain.campaign.CampaignState;
import dev.assay.store.campaign.CampaignRepository;
import dev.assay.store.campaign.StoredCampaign;
import dev.assay.workflows.NamePrefix;
import dev.assay.workflows.WorkflowIds;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import jakarta.inject.Singleton;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Campaigns that no worker moves, since their workflows belong to a build without workers. */
@Singleton
final class StrandedCampaigns {

    private static final Logger LOG = LoggerFactory.getLogger(StrandedCampaigns.class);
    private static final Set<CampaignState> OPEN =
            EnumSet.of(CampaignState.PENDING, CampaignState.RUNNING, CampaignState.PAUSED);

    private final CampaignRepository campaigns;
    private final CampaignLauncher launcher;
    private final WorkflowClient client;
    private final NamePrefix prefix;

    StrandedCampaigns(
            CampaignRepository campaigns, CampaignLauncher launcher, WorkflowClient client, NamePrefix prefix) {
        this.campaigns = campaigns;
        this.launcher = launcher;
        this.client = client;
        this.prefix = prefix;
    }

    /**
     * Moves the campaign that {@code workflowId} drives to a higher epoch, on the current build. Recorded answers stay, the rest is
     * planned anew. Slices end with the campaign's workflow. Nothing when it drives none.
     *
     * @param build the build to which it belongs
     */
    void move(String workflowId, String build) {
        Optional<String> campaignId = prefix.off(workflowId).flatMap(WorkflowIds::campaignOf);
        if (campaignId.isEmpty()) {
            return;
        }
        Optional<StoredCampaign> raised = campaigns.raiseEpoch(campaignId.get(), OPEN);
        if (raised.isPresent()) {
            LOG.warn(
                    "Campaign {} was under way on build {}, which has no worker; it goes on in epoch {}",
                    campaignId.get(),
                    build,
                    raised.get().epoch());
            launcher.replace(raised.get());
        } else {
            end(workflowId, build);
        }
    }

    private void end(String workflowId, String build) {
        try {
            client.newUntypedWorkflowStub(workflowId)
                    .terminate("The campaign has ended, and build " + build + " has no worker that could say so");
        } catch (WorkflowNotFoundException e) {
            LOG.debug("It has ended meanwhile", e);
        }
    }
}
