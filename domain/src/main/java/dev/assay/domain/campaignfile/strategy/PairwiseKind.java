package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.selection.Strategy;
import java.math.BigDecimal;
import java.util.List;

/** The kind whose judges read two responses at a time. */
final class PairwiseKind implements StrategyKind<Strategy.Pairwise> {

    private static final NumberRule ROUNDS = NumberRule.whole(1, 20);

    @Override
    public String word() {
        return "pairwise";
    }

    @Override
    public List<String> fields() {
        return List.of(
                "judge",
                "panel",
                "systemPrompt",
                "reply",
                "reading",
                "fence",
                "swapPositions",
                "rotateByTrial",
                "ties",
                "rounds");
    }

    @Override
    public Strategy.Pairwise read(FieldReader fields, Parts parts) {
        JudgePolicy policy = parts.rules().read(fields);
        BigDecimal rounds = fields.nullableDecimal("rounds", ROUNDS);
        return new Strategy.Pairwise(policy, rounds == null ? null : rounds.intValueExact());
    }

    @Override
    public void write(Strategy.Pairwise strategy, ObjectNode node) {
        JudgePolicyWriter.put(node, strategy.policy());
        node.remove("rotate");
        if (strategy.rounds() != null) {
            node.put("rounds", strategy.rounds());
        }
    }

    @Override
    public void check(Strategy.Pairwise strategy, int branches, FieldReader fields) {
        if (strategy.rounds() == null && branches > Strategy.Pairwise.MOST_WITHOUT_ROUNDS) {
            fields.problem(
                    "rounds",
                    "`rounds` is missing: every pair of " + branches + " branches would be compared; write how many"
                            + " rounds, or compare at most " + Strategy.Pairwise.MOST_WITHOUT_ROUNDS + " branches.");
        }
    }
}
