package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.selection.Strategy;
import java.util.List;

/** The kind that compares checks. */
final class HighestScoreKind implements StrategyKind<Strategy.HighestScore> {

    @Override
    public String word() {
        return "highest-score";
    }

    @Override
    public List<String> fields() {
        return List.of("ties");
    }

    @Override
    public Strategy.HighestScore read(FieldReader fields, Parts parts) {
        return new Strategy.HighestScore(JudgePolicyReader.ties(fields));
    }

    @Override
    public void write(Strategy.HighestScore strategy, ObjectNode node) {
        node.put("ties", strategy.ties().word());
    }
}
