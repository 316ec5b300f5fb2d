package dev.assay.domain.selection;

import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.Outcomes;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The result of a tie rule.
 *
 * @param decision for one of the tied branches
 */
record TieBreak(Decision decision, String reason) {

    /** @param tied outcomes in branch order, at least one */
    static TieBreak of(TiePolicy policy, List<Outcome> tied) {
        String names = tied.stream().map(Outcomes::name).collect(Collectors.joining(", "));
        return switch (policy) {
            case UNDECIDED ->
                new TieBreak(
                        new Decision.FellBack(first(tied)), "The first of " + names + " was taken; no branch wins.");
            case FIRST ->
                new TieBreak(
                        new Decision.Tied(first(tied)), "By the rule `first`, the first of " + names + " was taken.");
            case TOKEN_EFFICIENT -> tokenEfficient(tied, names);
            case LOWEST_COST -> lowestCost(tied, names);
        };
    }

    private static TieBreak tokenEfficient(List<Outcome> tied, String names) {
        if (!tied.stream().allMatch(outcome -> outcome.usage().known())) {
            return unknown("usage", "token-efficient", tied, names);
        }
        Comparator<Outcome> byTokens = Comparator.comparingLong(
                outcome -> Objects.requireNonNull(outcome.usage().total()));
        return new TieBreak(
                new Decision.Tied(least(tied, byTokens)),
                "By the rule `token-efficient`, the one of " + names + " with the fewest tokens was taken.");
    }

    private static TieBreak unknown(String what, String rule, List<Outcome> tied, String names) {
        return new TieBreak(
                new Decision.FellBack(first(tied)),
                "Not every " + what + " of " + names + " is known, so the rule `" + rule
                        + "` cannot decide. The first was taken; no branch wins.");
    }

    private static TieBreak lowestCost(List<Outcome> tied, String names) {
        if (tied.stream().anyMatch(outcome -> outcome.costUsd() == null)) {
            return unknown("cost", "lowest-cost", tied, names);
        }
        Comparator<Outcome> byCost = Comparator.comparing(outcome -> Objects.requireNonNull(outcome.costUsd()));
        return new TieBreak(
                new Decision.Tied(least(tied, byCost)),
                "By the rule `lowest-cost`, the one of " + names + " that cost least was taken.");
    }

    private static int first(List<Outcome> tied) {
        return tied.getFirst().branchIndex();
    }

    /** The first of the least. */
    private static int least(List<Outcome> tied, Comparator<Outcome> order) {
        return tied.stream().min(order).orElseThrow().branchIndex();
    }
}
