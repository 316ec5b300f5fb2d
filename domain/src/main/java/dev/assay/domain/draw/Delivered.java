package dev.assay.domain.draw;

/**
 * The batch of a provider that brought an answer.
 *
 * @param batchId its id in Assay
 * @param costAssumed whether the cost of the answer is half the live price, since no price of batches is configured
 */
public record Delivered(String batchId, boolean costAssumed) {}
