package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.kind.AgentKinds;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.document.DocumentPath;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.document.Fields;
import dev.assay.domain.document.IdRule;
import dev.assay.domain.document.NumberRule;
import dev.assay.domain.selection.Strategy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kind of custom strategies, with the models that they may ask. */
public final class CustomKind implements StrategyKind<Strategy.Custom> {

    static final Fields MODEL = AgentReader.fields("strategyModel");

    private static final int MOST_MODELS = 10;
    private static final NumberRule ASKS = NumberRule.whole(0, Strategy.Custom.MOST_ASKS);

    @Override
    public String word() {
        return "custom";
    }

    @Override
    public List<String> fields() {
        return List.of("name", "models", "maxAsks");
    }

    /** The path of the model {@code name} in the document. */
    public static String path(String name) {
        return DocumentPath.field("strategy.models", name);
    }

    @Override
    public Strategy.Custom read(FieldReader strategy, Parts parts) {
        Map<String, Agent> models = new LinkedHashMap<>();
        strategy.nullableObjects("models", MODEL).forEach((name, fields) -> {
            String wrong = IdRule.problem(name);
            if (wrong != null) {
                strategy.problem("models", "A name of `models` " + wrong + "; write another.");
            }
            models.put(name, parts.agents().read(fields));
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

    @Override
    public void write(Strategy.Custom custom, ObjectNode node) {
        node.put("name", custom.name());
        if (!custom.models().isEmpty()) {
            ObjectNode models = node.putObject("models");
            custom.models().forEach((name, agent) -> AgentKinds.write(agent, models.putObject(name)));
            node.put("maxAsks", custom.maxAsks());
        }
    }
}
