package dev.assay.domain.campaign;

/**
 * The key of one run of a campaign: what was begun in another epoch belongs to another run.
 *
 * @param epoch from 1; every resume, re-run and extension begins a new one
 */
public record RunKey(String campaignId, int epoch) {}
