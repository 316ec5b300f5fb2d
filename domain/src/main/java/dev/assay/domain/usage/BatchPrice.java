package dev.assay.domain.usage;

/**
 * The price of tokens that a provider batch uses.
 *
 * @param price of a million of them
 * @param assumed whether any part of it is not configured, and so is taken to be half of the live price
 */
public record BatchPrice(Price price, boolean assumed) {}
