package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.CancelPolicy;

/**
 * An evaluation that was read and found valid: a campaign of one case and one trial, answered at once.
 *
 * @param campaign what runs
 * @param onCancel what becomes of it when it is cancelled
 */
public record EvaluationSubmission(CampaignSubmission campaign, CancelPolicy onCancel) {}
