package dev.assay.domain.campaign;

/**
 * Names one run of a campaign: whatever was begun in another epoch is somebody else's.
 *
 * @param campaignId the campaign
 * @param epoch from 1; every resume, re-run and extension begins a new one
 */
public record RunKey(String campaignId, int epoch) {}
