package dev.assay.domain.campaignfile.strategy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.domain.campaignfile.agent.AgentReader;
import dev.assay.domain.document.FieldReader;
import dev.assay.domain.selection.Strategy;
import java.util.List;

/**
 * A kind of strategy as it stands in documents. {@link StrategyKinds} finds implementations that are not built in by
 * {@link java.util.ServiceLoader}: public classes with a public constructor without parameters.
 *
 * @param <S> the strategies of this kind
 */
public interface StrategyKind<S extends Strategy> {

    /** The word that users write as {@code type}, and that {@link Strategy#type} of its strategies gives. */
    String word();

    /** The number of its rules, from 1; raised by any change that can turn a judge's vote. Evaluators name it. */
    default int number() {
        return 1;
    }

    /** Its fields beside {@code type}, in the order in which they are documented. */
    default List<String> fields() {
        return List.of();
    }

    /** Reads a strategy, and reports what is wrong. Fields of other kinds are reported elsewhere. */
    S read(FieldReader fields, Parts parts);

    /** Writes the fields back, defaults too, so that {@link #read} gives an equal strategy. */
    default void write(S strategy, ObjectNode node) {}

    /** Reports why it cannot choose among so many branches. */
    default void check(S strategy, int branches, FieldReader fields) {}

    /**
     * The readers of what strategies have in common.
     *
     * @param agents reads an agent that is asked
     * @param rules reads judges, and how they judge
     */
    record Parts(AgentReader agents, JudgePolicyReader rules) {}
}
