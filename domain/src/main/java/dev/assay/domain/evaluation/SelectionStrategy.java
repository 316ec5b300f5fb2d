package dev.assay.domain.evaluation;

import dev.assay.domain.outcome.Outcome;
import java.util.List;

/**
 * A strategy of one's own, which campaigns name as {@code strategy: {type: custom, name: …}} (docs/custom-strategies.md).
 *
 * <p>Workers find implementations by {@link java.util.ServiceLoader}: a public class with a public constructor without
 * parameters, named in {@code META-INF/services/dev.assay.domain.evaluation.SelectionStrategy} of a JAR file among the plugins.
 */
public interface SelectionStrategy {

    /** What campaigns call it: an id as branches have one, unique among the strategies of a worker. */
    String name();

    /**
     * Chooses the winner of a trial. The same candidates must give the same pick: a trial may be decided again. Called by several
     * threads at once.
     *
     * @param candidates the outcomes that can be chosen, in branch order, at least two. They have response, usage, cost, latency
     *     and check results, but no transcript
     * @return which of {@code candidates}; an index that is none of them is an error of the trial, which nobody wins then, and so
     *     is an exception
     */
    Pick pick(List<Outcome> candidates);

    /**
     * A choice.
     *
     * @param index into the candidates, from 0
     * @param reason one sentence for people
     */
    record Pick(int index, String reason) {}
}
