package dev.assay.domain.campaign;

import dev.assay.domain.gate.GateRule;
import java.util.List;

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
}
