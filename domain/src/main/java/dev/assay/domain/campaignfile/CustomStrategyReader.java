package dev.assay.domain.campaignfile;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.selection.Strategy;
import java.util.LinkedHashMap;
import java.util.Map;

/** The reader of the custom strategy and the models that it may ask: fields of the strategy. */
final class CustomStrategyReader {

    static final Fields MODEL = AgentReader.fields("strategyModel");

    private static final int MOST_MODELS = 10;
    private static final NumberRule ASKS = NumberRule.whole(0, Strategy.Custom.MOST_ASKS);

    private final AgentReader agents;

    CustomStrategyReader(AgentReader agents) {
        this.agents = agents;
    }

    /** The path of the model {@code name} in the document. */
    static String path(String name) {
        return DocumentPath.field("strategy.models", name);
    }

    Strategy.Custom read(FieldReader strategy) {
        Map<String, Agent> models = new LinkedHashMap<>();
        strategy.nullableObjects("models", MODEL).forEach((name, fields) -> {
            String wrong = IdRule.problem(name);
            if (wrong != null) {
                strategy.problem("models", "A name of `models` " + wrong + "; write another.");
            }
            models.put(name, agents.read(fields));
        });
        if (models.size() > MOST_MODELS) {
            strategy.problem(
                    "models", "`models` must have at most " + MOST_MODELS + " models, but has " + models.size() + ".");
        }
        int maxAsks = strategy.integer("maxAsks", ASKS, 0);
        if (maxAsks > 0 && models.isEmpty() && !strategy.isWrong("models")) {
            strategy.problem("models", "`models` is missing: with `maxAsks`, say which models the strategy may ask.");
        }
        if (maxAsks == 0 && !models.isEmpty() && !strategy.isWrong("maxAsks")) {
            strategy.problem(
                    "maxAsks",
                    "`maxAsks` is 0, so no model of `models` can be asked; write how many asks a trial may take.");
        }
        return new Strategy.Custom(strategy.id("name"), models, maxAsks);
    }
}
