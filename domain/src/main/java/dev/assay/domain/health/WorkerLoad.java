package dev.assay.domain.health;

/**
 * Cells of one campaign at one provider that a worker holds.
 *
 * @param forBudget cells with a permit that wait until calls in flight have freed some of the budget; not in {@code calling}
 */
public record WorkerLoad(String campaignId, String provider, int calling, int forPermit, int forBudget) {}
