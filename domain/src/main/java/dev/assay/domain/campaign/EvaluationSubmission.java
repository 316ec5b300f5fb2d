package dev.assay.domain.campaign;

/**
 * An evaluation that was read and found valid: a campaign of one case and one trial, answered at once.
 *
 * @param campaign what runs
 * @param onCancel what becomes of it when it is cancelled
 */
public record EvaluationSubmission(CampaignSubmission campaign, CancelRule onCancel) {}
