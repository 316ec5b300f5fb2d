package dev.assay.domain.evaluator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.strategy.StrategyKinds;
import dev.assay.domain.json.Json;
import dev.assay.domain.judge.Judge;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.JudgePrompt;
import dev.assay.domain.replay.RequestKey;
import dev.assay.domain.selection.Strategy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The evaluators of judges. Each member of a panel is one. */
public final class JudgeEvaluator {

    /** Fields of a stored strategy that have a place of their own in the definition. */
    private static final List<String> ELSEWHERE = List.of("judge", "panel", "systemPrompt");

    private JudgeEvaluator() {}

    /**
     * One of the judges of a strategy.
     *
     * @param endpoint where the judge's provider is asked; null: it has no address
     */
    public static Evaluator of(
            Strategy strategy, JudgePolicy policy, Judge judge, UsedCode code, @Nullable String endpoint) {
        ObjectNode definition = Json.mapper().createObjectNode();
        ObjectNode written = StrategyKinds.write(strategy);
        written.remove(ELSEWHERE);
        Evaluator.begin(definition, Evaluator.JUDGE, StrategyKinds.code(strategy))
                .set("strategy", written);
        String systemPrompt = policy.systemPrompt() == null
                ? JudgePrompt.builtInSystemPrompt(policy.format())
                : policy.systemPrompt();
        definition.put("systemPrompt", RequestKey.sha256(systemPrompt));
        AskedModel.writeTo(definition, judge.agent(), endpoint, code);
        return Evaluator.of(definition);
    }
}
