package dev.assay.domain.hypothesis;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a reply that is about one hypothesis. */
public sealed interface Reading {

    /**
     * A hypothesis that was scored.
     *
     * @param scores one for each dimension, in the rubric's order, on its scale
     * @param modelVerdict what the model thinks; null: it says nothing, or another word
     */
    record Evaluated(
            Map<String, BigDecimal> scores, @Nullable HypothesisVerdict modelVerdict, List<String> reasons)
            implements Reading {

        public Evaluated {
            scores = Collections.unmodifiableMap(new LinkedHashMap<>(scores));
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * A hypothesis that was not scored.
     *
     * @param problem the same for people and models, a sentence
     */
    record Invalid(Fault fault, String problem) implements Reading {

        /** The fault's name and the sentence. */
        public String text() {
            return fault + ": " + problem;
        }
    }

    /** The reason why a reply does not score a hypothesis. The names are persisted nowhere, but users see them. */
    enum Fault {
        /** The reply is no JSON object with a list of evaluations. */
        NOT_JSON,
        /** The reply does not name the hypothesis. */
        MISSING,
        /** The reply names it more than once. */
        DUPLICATE,
        /** A dimension has no score. */
        SCORE_MISSING,
        /** A score is no number. */
        SCORE_NOT_A_NUMBER,
        /** A score is not on the scale. */
        SCORE_OUT_OF_RANGE
    }
}
