package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The product of a cell, and the rules that differ by it. */
public enum CellKind {
    /** One branch's answer; the slot is the branch's index. */
    BRANCH("branch") {
        @Override
        public List<Agent> agents(CampaignDefinition definition, int slot) {
            return List.of(definition.branches().get(slot).agent());
        }

        @Override
        public @Nullable Integer branch(int slot) {
            return slot;
        }
    },
    /** One call of a judge; the slot is its number in the trial. */
    JUDGE("judge") {
        @Override
        public List<Agent> agents(CampaignDefinition definition, int slot) {
            return List.of(definition.judging().orElseThrow().judgeOf(slot).agent());
        }

        @Override
        public @Nullable Integer branch(int slot) {
            return null;
        }
    },
    /** One call of a model that a custom strategy asks; the slot is its number in the trial. */
    STRATEGY("strategy") {
        @Override
        public List<Agent> agents(CampaignDefinition definition, int slot) {
            return definition.evaluators();
        }

        @Override
        public @Nullable Integer branch(int slot) {
            return null;
        }
    },
    /** One call of a model that grades a check; the slot is its number in the trial. */
    GRADE("grade") {
        @Override
        public List<Agent> agents(CampaignDefinition definition, int slot) {
            return definition.graderAgents();
        }

        @Override
        public @Nullable Integer branch(int slot) {
            return null;
        }
    };

    private final String word;

    CellKind(String word) {
        this.word = word;
    }

    /** The persisted word. */
    public String word() {
        return word;
    }

    /** The kind of a persisted word. */
    public static CellKind ofWord(String word) {
        for (CellKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("There is no kind of cell called " + word);
    }

    /** The agents that may answer the cell at {@code slot}: one, or several where only the cell itself knows which. */
    public abstract List<Agent> agents(CampaignDefinition definition, int slot);

    /** The branch that the cell at {@code slot} belongs to, which a user may cancel alone; null: to none. */
    public abstract @Nullable Integer branch(int slot);
}
