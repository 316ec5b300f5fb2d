package dev.assay.domain.campaign;

import dev.assay.domain.agent.Agent;
import org.jspecify.annotations.Nullable;

/** How the winner of a trial is chosen (semantics A2). Users write {@code type} and, for the judge, its settings. */
public sealed interface Strategy {

    /** The word that users write as {@code type}. */
    String type();

    /** The only branch; several branches are a validation error. */
    record Transparent() implements Strategy {
        @Override
        public String type() {
            return "transparent";
        }
    }

    /** The first branch, or the first that completed. */
    record PickFirst() implements Strategy {
        @Override
        public String type() {
            return "pick-first";
        }
    }

    /** The branch with the least total tokens; the first of equals. */
    record TokenEfficient() implements Strategy {
        @Override
        public String type() {
            return "token-efficient";
        }
    }

    /** The branch with the most total tokens; the last of equals. */
    record Elaborate() implements Strategy {
        @Override
        public String type() {
            return "elaborate";
        }
    }

    /**
     * A model reads all responses and names the best.
     *
     * @param judge what judges
     * @param maxContextTokens window of the judge, from which the compaction budget follows; null: nothing is compacted
     * @param systemPrompt what the judge is told; null: the built-in prompt
     */
    record LlmJudge(
            Agent judge,
            @Nullable Integer maxContextTokens,
            @Nullable String systemPrompt) implements Strategy {
        @Override
        public String type() {
            return "llm-judge";
        }
    }
}
