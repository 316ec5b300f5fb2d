package dev.assay.domain.gate;

import dev.assay.domain.check.CheckScore;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.error.ErrorCode;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The verdict of a trial on one branch (docs/fastskill.md). */
public enum TrialVerdict {
    /** It completed, or a limit ended it, and every required check passed. */
    PASSED,
    /** A required check failed, or a limit ended it and no required check speaks for it. */
    FAILED,
    /** The request was refused, the model failed or the time ran out: never passes, whatever the checks say. */
    ERROR,
    /** The provider gave no answer: it was away, or it limits the rate of requests. It says nothing of the model. */
    PROVIDER_ERROR,
    /** Nothing is known: cancelled, skipped, or a required check is unscored and none failed. */
    NO_EVIDENCE;

    /**
     * The verdict on {@code outcome}.
     *
     * @param threshold the mean of the scores that passes, whatever single checks say, 0–1; null: every required check must pass
     */
    public static TrialVerdict of(Outcome outcome, @Nullable BigDecimal threshold) {
        if (outcome.status() == OutcomeStatus.MODEL_ERROR) {
            return ofError(outcome.failure() == null ? null : outcome.failure().code());
        }
        boolean isTransformed =
                outcome.checks().stream().noneMatch(check -> check.type().equals(CheckResult.TRANSFORM));
        boolean isMeant = threshold != null
                && isTransformed
                && !outcome.checks().isEmpty()
                && (outcome.status() == OutcomeStatus.COMPLETED || outcome.status() == OutcomeStatus.LIMIT);
        return isMeant
                ? of(CheckScore.of(outcome.checks(), threshold))
                : of(outcome.status(), outcome.checks(), outcome.exitCode());
    }

    /** The verdict on an outcome that ended with {@code status} and of which {@code checks} said what they say. */
    public static TrialVerdict of(OutcomeStatus status, List<CheckResult> checks) {
        return of(status, checks, null);
    }

    /**
     * As {@link #of(OutcomeStatus, List)}, of a program.
     *
     * @param exitCode decides where no check is required: 0 passes; null: a model, which has none
     */
    public static TrialVerdict of(OutcomeStatus status, List<CheckResult> checks, @Nullable Integer exitCode) {
        List<CheckResult> required =
                checks.stream().filter(CheckResult::required).toList();
        return switch (status) {
            case COMPLETED ->
                required.isEmpty() && exitCode != null && exitCode != 0 ? FAILED : of(CheckScore.of(required, null));
            case LIMIT -> required.isEmpty() ? FAILED : of(CheckScore.of(required, null));
            case MODEL_ERROR, TIMED_OUT -> ERROR;
            case CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> NO_EVIDENCE;
        };
    }

    /**
     * The verdict that the store keeps as a status, whether the trial passed, and the code of an error.
     *
     * @param passed what {@link #passed} gave; null: no evidence
     * @param error null: no error, or one that this build does not know
     */
    public static TrialVerdict ofStored(OutcomeStatus status, @Nullable Boolean passed, @Nullable ErrorCode error) {
        return switch (status) {
            case COMPLETED, LIMIT -> passed == null ? NO_EVIDENCE : passed ? PASSED : FAILED;
            case MODEL_ERROR -> ofError(error);
            case TIMED_OUT -> ERROR;
            case CANCELLED, BUDGET_SKIPPED, NOT_NEEDED -> NO_EVIDENCE;
        };
    }

    /** The verdict on a cell that ended in an error with {@code code}. */
    private static TrialVerdict ofError(@Nullable ErrorCode code) {
        return code != null && code.isOfProvider() ? PROVIDER_ERROR : ERROR;
    }

    /** Whether the trial passed or failed by its answer. Only such a trial is a draw that counts. */
    public boolean isScored() {
        return this == PASSED || this == FAILED;
    }

    /** Whether the trial passes; null: no evidence. */
    public @Nullable Boolean passed() {
        return switch (this) {
            case PASSED -> true;
            case FAILED, ERROR, PROVIDER_ERROR -> false;
            case NO_EVIDENCE -> null;
        };
    }

    private static TrialVerdict of(CheckScore score) {
        return switch (score.status()) {
            case PASSED -> PASSED;
            case FAILED -> FAILED;
            case UNSCORED -> NO_EVIDENCE;
        };
    }
}
