package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.selection.Strategy;
import java.util.List;

/** The kind whose judges read all responses. */
final class LlmJudgeKind implements StrategyKind<Strategy.LlmJudge> {

    @Override
    public String word() {
        return "llm-judge";
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
                "rotate",
                "rotateByTrial",
                "ties");
    }

    @Override
    public Strategy.LlmJudge read(FieldReader fields, Parts parts) {
        return new Strategy.LlmJudge(parts.rules().read(fields));
    }

    @Override
    public void write(Strategy.LlmJudge strategy, ObjectNode node) {
        JudgePolicyWriter.put(node, strategy.policy());
    }
}
