package dev.assay.workflows;

/** Ids of workflows, derived from the ids of what they drive (design §4). */
public final class WorkflowIds {

    private WorkflowIds() {}

    /** The id of a campaign's workflow. */
    public static String campaign(String campaignId) {
        return "campaign/" + campaignId;
    }

    /** The id of the {@code number}-th slice that a campaign ran in {@code epoch}. */
    public static String slice(String campaignId, int epoch, int number) {
        return campaign(campaignId) + "/slice/" + epoch + "-" + number;
    }
}
