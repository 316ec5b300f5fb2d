package dev.assay.activities.selection;

import dev.assay.domain.evaluation.EvaluationDecision;
import dev.assay.domain.evaluation.SelectionStrategy;
import dev.assay.domain.evaluation.StrategyAnswer;
import dev.assay.domain.evaluation.StrategyContext;
import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.usage.Usage;
import java.util.List;

/** A strategy that does what a test says. */
public final class TestStrategy implements SelectionStrategy {

    public static final String NAME = "test";

    /** What it does. */
    public static volatile Behaviour behaviour = (prompts, candidates, context) -> select(0);

    /** As {@link SelectionStrategy#select}. */
    @FunctionalInterface
    public interface Behaviour {
        StrategyAnswer select(List<Message> prompts, List<Outcome> candidates, StrategyContext context);
    }

    public static StrategyAnswer select(int index) {
        return new StrategyAnswer(new EvaluationDecision.Select(index, "as the test says"), Usage.NONE);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StrategyAnswer select(List<Message> prompts, List<Outcome> candidates, StrategyContext context) {
        return behaviour.select(prompts, candidates, context);
    }
}
