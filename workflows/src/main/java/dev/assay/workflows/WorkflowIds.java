package dev.assay.workflows;

import java.util.Optional;

/** Ids of workflows, derived from the ids of campaigns and slices (design §4); in Temporal with the {@link NamePrefix}. */
public final class WorkflowIds {

    private static final String CAMPAIGN = "campaign/";
    private static final String BATCH = "batch/";
    private static final String SLICE = "/slice/";

    private WorkflowIds() {}

    /** The id of a campaign's workflow. */
    public static String campaign(String campaignId) {
        return CAMPAIGN + campaignId;
    }

    /** The id of the workflow of a provider batch. */
    public static String batch(String batchId) {
        return BATCH + batchId;
    }

    /** The campaign that a workflow drives, as a whole or a slice of it; empty for any other workflow. */
    public static Optional<String> campaignOf(String workflowId) {
        return workflowId.startsWith(CAMPAIGN)
                ? Optional.of(workflowId.substring(CAMPAIGN.length()).split(SLICE, 2)[0])
                : Optional.empty();
    }

    /** The id of the {@code number}-th slice that a campaign ran in {@code epoch}. */
    public static String slice(String campaignId, int epoch, int number) {
        return campaign(campaignId) + SLICE + epoch + "-" + number;
    }
}
