package dev.assay.domain.campaign;

/**
 * Names one run of a campaign: what was begun in another epoch belongs to another run.
 *
 * @param campaignId the campaign
 * @param epoch from 1; every resume, re-run and extension begins a new one
 */
public record RunKey(String campaignId, int epoch) {}
