package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.selection.Strategy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;

/** The registry of the kinds of strategies: the built-in ones, then those that {@code META-INF/services} names. */
public final class StrategyKinds {

    private static final Map<String, StrategyKind<?>> BY_WORD = load();

    private StrategyKinds() {}

    private static Map<String, StrategyKind<?>> load() {
        Map<String, StrategyKind<?>> kinds = new LinkedHashMap<>();
        builtIn().forEach(kind -> kinds.put(kind.word(), kind));
        for (StrategyKind<?> kind : ServiceLoader.load(StrategyKind.class, StrategyKind.class.getClassLoader())) {
            if (kinds.putIfAbsent(kind.word(), kind) != null) {
                throw new IllegalStateException(
                        "Two kinds of strategies have the word " + kind.word() + "; remove one from the class path.");
            }
        }
        return kinds;
    }

    /** In the order in which they are documented. */
    private static List<StrategyKind<?>> builtIn() {
        return List.of(
                new PlainKind(new Strategy.Transparent()),
                new PlainKind(new Strategy.PickFirst()),
                new PlainKind(new Strategy.TokenEfficient()),
                new PlainKind(new Strategy.Elaborate()),
                new PlainKind(new Strategy.LowestCost()),
                new PlainKind(new Strategy.LowestLatency()),
                new HighestScoreKind(),
                new CustomKind(),
                new LlmJudgeKind(),
                new PairwiseKind());
    }

    /** All kinds by their words. */
    static Map<String, StrategyKind<?>> byWord() {
        return BY_WORD;
    }

    /** The document of {@code strategy}, in the words of the campaign file. */
    public static ObjectNode write(Strategy strategy) {
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("type", strategy.type());
        of(strategy).write(strategy, node);
        return node;
    }

    /** The rules of {@code strategy} as evaluators name them, such as {@code llm-judge/1}. */
    public static String code(Strategy strategy) {
        return strategy.type() + "/" + of(strategy).number();
    }

    /** The kind of {@code strategy}. */
    @SuppressWarnings("unchecked") // A kind has the word of its strategies.
    static StrategyKind<Strategy> of(Strategy strategy) {
        return (StrategyKind<Strategy>)
                Objects.requireNonNull(BY_WORD.get(strategy.type()), "A strategy has the word of a kind");
    }
}
