package dev.assay.domain.selection;

import dev.assay.domain.agent.Agent;
import dev.assay.domain.agent.AgentName;
import dev.assay.domain.judge.JudgePolicy;
import dev.assay.domain.judge.TiePolicy;
import dev.assay.domain.outcome.Outcome;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rule that chooses the winner of a trial (docs/campaign-file.md). Users write {@code type} and, for the judge, its settings. */
public interface Strategy {

    /** The word that users write as {@code type}. */
    String type();

    /**
     * The choice among the outcomes of a trial.
     *
     * @param selectable those that can be chosen, in branch order, at least one
     */
    Choice choose(List<Outcome> selectable);

    /** The most branches among which it chooses, at least 1. */
    default int mostBranches() {
        return Integer.MAX_VALUE;
    }

    /** The judges and their policy; null when no model is asked. */
    default @Nullable JudgePolicy judging() {
        return null;
    }

    /** Whether judges read two responses at a time. */
    default boolean comparesPairs() {
        return false;
    }

    /** Whether models may be asked to decide a trial. */
    default boolean mayAsk() {
        return judging() != null;
    }

    /** Whether it looks at the results of checks. */
    default boolean readsChecks() {
        return needsChecks();
    }

    /** Whether it cannot choose without a check that counts. */
    default boolean needsChecks() {
        return false;
    }

    /** The plugin that chooses; empty: Assay does. */
    default Optional<Custom> plugin() {
        return Optional.empty();
    }

    /** The strategy of a campaign that names none. */
    static Strategy usual(int branches) {
        return branches > 1 ? new PickFirst() : new Transparent();
    }

    /** The only branch; several branches are a validation error. */
    record Transparent() implements Strategy {
        @Override
        public String type() {
            return "transparent";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.made(selectable.getFirst(), type(), "The only branch.", false, 1);
        }

        @Override
        public int mostBranches() {
            return 1;
        }
    }

    /** The first branch, or the first that completed. */
    record PickFirst() implements Strategy {
        @Override
        public String type() {
            return "pick-first";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.pickFirst(type(), selectable);
        }
    }

    /** The branch with the least total tokens; the first of equals. */
    record TokenEfficient() implements Strategy {
        @Override
        public String type() {
            return "token-efficient";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.tokenEfficient(type(), selectable);
        }
    }

    /** The branch with the most total tokens; the last of equals. */
    record Elaborate() implements Strategy {
        @Override
        public String type() {
            return "elaborate";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.elaborate(type(), selectable);
        }
    }

    /** The branch whose answer cost least; the first of equals. */
    record LowestCost() implements Strategy {
        @Override
        public String type() {
            return "lowest-cost";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.lowestCost(type(), selectable);
        }
    }

    /** The branch that answered fastest; the first of equals. */
    record LowestLatency() implements Strategy {
        @Override
        public String type() {
            return "lowest-latency";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.lowestLatency(type(), selectable);
        }
    }

    /** The branch with the highest score by weighted checks. */
    record HighestScore(TiePolicy ties) implements Strategy {
        @Override
        public String type() {
            return "highest-score";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return ScoreChoice.of(type(), ties, selectable);
        }

        @Override
        public boolean needsChecks() {
            return true;
        }
    }

    /** Models read all responses and name the best. */
    record LlmJudge(JudgePolicy policy) implements Strategy {
        @Override
        public String type() {
            return "llm-judge";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.judge(type(), selectable);
        }

        @Override
        public JudgePolicy judging() {
            return policy;
        }
    }

    /**
     * A strategy that workers have as a plugin (see {@link dev.assay.domain.evaluation.SelectionStrategy}).
     *
     * @param models that it may ask, by the names that it uses, in order
     * @param maxAsks how often it may ask in a trial, 0–{@value #MOST_ASKS}
     */
    record Custom(String name, Map<String, Agent> models, int maxAsks) implements Strategy {

        /** Most asks of a trial. */
        public static final int MOST_ASKS = 100;

        public Custom {
            models = Collections.unmodifiableMap(new LinkedHashMap<>(models));
        }

        /** A strategy that asks no model. */
        public Custom(String name) {
            this(name, Map.of(), 0);
        }

        /** The name of the agent that runs the strategy's loop. */
        public AgentName agentName() {
            return new AgentName("custom", name);
        }

        /** The strategy's name in the id of its loop. */
        public String segment() {
            return "custom." + name;
        }

        @Override
        public String type() {
            return "custom";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return new Choice.AskCustom(this, selectable);
        }

        @Override
        public boolean mayAsk() {
            return maxAsks > 0;
        }

        @Override
        public boolean readsChecks() {
            return true;
        }

        @Override
        public Optional<Custom> plugin() {
            return Optional.of(this);
        }
    }

    /**
     * Models read two responses at a time and name the better; the branch with the most points wins.
     *
     * @param policy who judges, and how; without rotated orders
     * @param rounds in which neighbours in the standings meet; null: every pair is compared
     */
    record Pairwise(JudgePolicy policy, @Nullable Integer rounds) implements Strategy {

        /** Most branches of which every pair is compared. */
        public static final int MOST_WITHOUT_ROUNDS = 20;

        @Override
        public String type() {
            return "pairwise";
        }

        @Override
        public Choice choose(List<Outcome> selectable) {
            return Selector.judge(type(), selectable);
        }

        @Override
        public JudgePolicy judging() {
            return policy;
        }

        @Override
        public boolean comparesPairs() {
            return true;
        }
    }
}
