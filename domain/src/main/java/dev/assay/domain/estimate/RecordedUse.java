package dev.assay.domain.estimate;

import dev.assay.domain.usage.Usage;

/**
 * The usage of a model in an earlier campaign.
 *
 * @param calls cells or judge calls that reported their usage completely, at least 1
 * @param usage tokens of all of them together
 */
public record RecordedUse(String campaignId, long calls, Usage usage) {}
