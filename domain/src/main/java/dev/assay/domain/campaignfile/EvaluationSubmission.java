package dev.assay.domain.campaignfile;

import dev.assay.domain.campaign.CancelPolicy;

/**
 * An evaluation that was read and found valid: a campaign of one case and one trial, answered at once.
 *
 * @param onCancel the result when it is cancelled
 * @param keepsConcurrency whether {@code maxConcurrent} was written, by it or by what it continues; else it grows with branches
 */
public record EvaluationSubmission(CampaignSubmission campaign, CancelPolicy onCancel, boolean keepsConcurrency) {}
