package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.gate.GateRule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that says what a campaign does, apart from its cases.
 *
 * @param name for people
 * @param branches in the order that results and judges show them, at least one, ids unique
 * @param trials repetitions of each case, 1–1000
 * @param strategy how winners are chosen
 * @param gate what passes
 * @param limits bounds
 */
public record CampaignDefinition(
        String name, List<Branch> branches, int trials, Strategy strategy, GateRule gate, Limits limits) {

    public CampaignDefinition {
        branches = List.copyOf(branches);
    }

    /** Who judges the trials; empty when the strategy asks nobody. A single branch needs no judge. */
    public Optional<Agent> judge() {
        return branches.size() > 1 && strategy instanceof Strategy.LlmJudge judging
                ? Optional.of(judging.judge())
                : Optional.empty();
    }

    /** Every provider that is asked, in the order of the branches, the judge's last. */
    public List<String> providers() {
        return Stream.concat(branches.stream().map(Branch::agent), judge().stream())
                .map(Agent::provider)
                .distinct()
                .toList();
    }
}
