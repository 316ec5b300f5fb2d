package dev.assay.domain.agent;

/**
 * The name of an agent in events, ledger and reports.
 *
 * @param provider of a replay, the one whose answers were recorded
 * @param model the provider's name of the model; a script is its own
 */
public record AgentName(String provider, String model) {}
