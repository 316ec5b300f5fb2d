package dev.assay.domain.gate;

import dev.assay.domain.check.CheckScore;
import dev.assay.domain.outcome.Outcome;
import org.jspecify.annotations.Nullable;

/** The score of a trial on one branch, 0–1. */
public final class TrialScore {

    private TrialScore() {}

    /**
     * The mean of the scores of all checks, each by its weight. Without checks it is 1 where the trial passes and else 0; for an
     * error it is 0. Null: a check with a weight has no score, or nothing is known of the trial.
     */
    public static @Nullable Double of(Outcome outcome) {
        return switch (outcome.status()) {
            case COMPLETED, LIMIT ->
                outcome.checks().isEmpty()
                        ? (Double) (TrialVerdict.of(outcome, null) == TrialVerdict.PASSED ? 1.0 : 0.0)
                        : CheckScore.of(outcome.checks(), null).score();
            case MODEL_ERROR, TIMED_OUT -> 0.0;
            case CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> null;
        };
    }
}
