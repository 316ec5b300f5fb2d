package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.gate.GatePolicy;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.selection.Strategy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
        String name, List<Branch> branches, int trials, Strategy strategy, GatePolicy gate, Limits limits) {

    public CampaignDefinition {
        branches = List.copyOf(branches);
    }

    /** How the trials are judged; empty when the strategy asks nobody. A single branch needs no judge. */
    public Optional<JudgePolicy> judging() {
        return branches.size() > 1 ? Optional.ofNullable(strategy.judging()) : Optional.empty();
    }

    /**
     * The sets of providers that one worker must be able to ask: that of each branch, and those of all judges, whom one activity
     * asks. In the order of the branches, the judges' last.
     */
    public List<Set<String>> providersAskedTogether() {
        Stream<Set<String>> judges = judging().stream()
                .map(rule -> rule.judges().stream().map(Judge::agent))
                .map(CampaignDefinition::providers);
        return Stream.concat(branches.stream().map(branch -> providers(Stream.of(branch.agent()))), judges)
                .distinct()
                .toList();
    }

    private static Set<String> providers(Stream<Agent> agents) {
        return agents.map(Agent::provider).collect(Collectors.toUnmodifiableSet());
    }
}
