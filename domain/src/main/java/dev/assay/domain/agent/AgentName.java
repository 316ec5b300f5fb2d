package dev.assay.domain.agent;

/**
 * Who answers, as events, ledger and reports name it.
 *
 * @param provider the provider; of a replay, the one whose answers were recorded
 * @param model the provider's name of the model; a script is its own
 */
public record AgentName(String provider, String model) {}
