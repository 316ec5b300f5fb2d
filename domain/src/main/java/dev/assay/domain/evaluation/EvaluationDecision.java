package dev.assay.domain.evaluation;

import java.util.Objects;

/** The decision of a custom strategy. */
public sealed interface EvaluationDecision {

    /** One sentence for people; white space and control characters become spaces, and only the beginning is kept. */
    String reason();

    /**
     * A candidate wins.
     *
     * @param index into the candidates, from 0
     * @param reason one sentence for people; may be empty
     */
    record Select(int index, String reason) implements EvaluationDecision {

        public Select {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The decision that no branch wins. The first candidate is taken, so that a session can go on.
     *
     * @param reason one sentence for people; may be empty
     */
    record Undecided(String reason) implements EvaluationDecision {

        public Undecided {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
