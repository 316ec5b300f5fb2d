package dev.assay.domain.gate;

import dev.assay.domain.check.CheckResult;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a trial passes on one branch (semantics B). */
public enum TrialVerdict {
    /** It completed, or a limit ended it, and every required check passed. */
    PASSED,
    /** A required check failed, or a limit ended it and no required check speaks for it. */
    FAILED,
    /** The model failed or the time ran out: never passes, whatever the checks say. */
    ERROR,
    /** Nothing is known: cancelled, skipped, or a required check is unscored and none failed. */
    NO_EVIDENCE;

    /** The verdict on {@code outcome}. */
    public static TrialVerdict of(Outcome outcome) {
        return of(outcome.status(), outcome.checks());
    }

    /** The verdict on an outcome that ended with {@code status} and of which {@code checks} said what they say. */
    public static TrialVerdict of(OutcomeStatus status, List<CheckResult> checks) {
        List<CheckResult> required =
                checks.stream().filter(CheckResult::required).toList();
        return switch (status) {
            case COMPLETED -> ofChecks(required);
            case LIMIT -> required.isEmpty() ? FAILED : ofChecks(required);
            case MODEL_ERROR, TIMED_OUT -> ERROR;
            case CANCELLED, BUDGET_SKIPPED -> NO_EVIDENCE;
        };
    }

    /**
     * The verdict that the store keeps as a status and whether the trial passed.
     *
     * @param passed what {@link #passed} gave; null: no evidence
     */
    public static TrialVerdict ofStored(OutcomeStatus status, @Nullable Boolean passed) {
        return switch (status) {
            case COMPLETED, LIMIT -> passed == null ? NO_EVIDENCE : passed ? PASSED : FAILED;
            case MODEL_ERROR, TIMED_OUT -> ERROR;
            case CANCELLED, BUDGET_SKIPPED -> NO_EVIDENCE;
        };
    }

    /** Whether the trial passes; null: no evidence. */
    public @Nullable Boolean passed() {
        return switch (this) {
            case PASSED -> true;
            case FAILED, ERROR -> false;
            case NO_EVIDENCE -> null;
        };
    }

    private static TrialVerdict ofChecks(List<CheckResult> required) {
        if (has(required, CheckResult.Status.FAILED)) {
            return FAILED;
        }
        return has(required, CheckResult.Status.UNSCORED) ? NO_EVIDENCE : PASSED;
    }

    private static boolean has(List<CheckResult> checks, CheckResult.Status status) {
        return checks.stream().anyMatch(check -> check.status() == status);
    }
}
