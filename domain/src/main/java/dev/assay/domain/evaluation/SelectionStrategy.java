package dev.assay.domain.evaluation;

import dev.assay.domain.message.Message;
import dev.assay.domain.outcome.Outcome;
import java.util.List;

/**
 * A strategy of one's own, which campaigns name as {@code strategy: {type: custom, name: …}} (docs/custom-strategies.md).
 *
 * <p>Workers find implementations by {@link java.util.ServiceLoader}: a public class with a public constructor without
 * parameters, named in {@code META-INF/services/dev.assay.domain.evaluation.SelectionStrategy} of a JAR file among the plugins.
 */
public interface SelectionStrategy {

    /** The name that campaigns use: an id as branches have one, unique among the strategies of a worker. */
    String name();

    /**
     * Chooses the winner of a trial, on a thread of its own. Called by several such threads at once. The same arguments must lead
     * to the same asks and the same answer: a trial may be decided again.
     *
     * <p>It has the time of a cell ({@code limits.timeoutSeconds}), in which the time of its asks does not count. An exception or a
     * longer time is an error of the trial, which no branch then wins.
     *
     * @param prompts of the user, after {@link StrategyContext#conversation}; empty when that ends on the question
     * @param candidates the outcomes that can be chosen, in branch order, at least one: with messages, usage, cost, latency and check
     *     results
     * @param context what the strategy may know and do beside
     * @return the decision; an index that is none of {@code candidates} is an error of the trial
     */
    StrategyAnswer select(List<Message> prompts, List<Outcome> candidates, StrategyContext context);
}
