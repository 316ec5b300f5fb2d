package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.check.CheckResult;
import dev.assay.domain.outcome.OutcomeStatus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TrialVerdictTest {

    // P passed, F failed, U unscored; lower case: not required.
    @ParameterizedTest
    @CsvSource({
        "COMPLETED, '', PASSED",
        "COMPLETED, P, PASSED",
        "COMPLETED, PF, FAILED",
        "COMPLETED, PU, NO_EVIDENCE",
        "COMPLETED, UF, FAILED",
        "COMPLETED, f, PASSED",
        "COMPLETED, Pfu, PASSED",
        "COMPLETED, Up, NO_EVIDENCE",
        "LIMIT, '', FAILED",
        "LIMIT, p, FAILED",
        "LIMIT, Pf, PASSED",
        "LIMIT, PF, FAILED",
        "LIMIT, U, NO_EVIDENCE",
        "MODEL_ERROR, P, ERROR",
        "MODEL_ERROR, U, ERROR",
        "TIMED_OUT, P, ERROR",
        "TIMED_OUT, '', ERROR",
        "CANCELLED, P, NO_EVIDENCE",
        "BUDGET_SKIPPED, F, NO_EVIDENCE",
    })
    void shouldFollowStatusAndRequiredChecksWhenJudgingATrial(
            OutcomeStatus status, String checks, TrialVerdict verdict) {
        assertThat(TrialVerdict.of(status, checks(checks))).isEqualTo(verdict);
    }

    @ParameterizedTest
    @EnumSource(OutcomeStatus.class)
    void shouldBeTheSameWhenReadBackFromTheStore(OutcomeStatus status) {
        for (String checks : List.of("", "P", "F", "U")) {
            TrialVerdict verdict = TrialVerdict.of(status, checks(checks));

            assertThat(TrialVerdict.ofStored(status, verdict.passed())).isEqualTo(verdict);
        }
    }

    @Test
    void shouldNeverPassWhenTheStoreSaysThatAnErrorPassed() {
        assertThat(TrialVerdict.ofStored(OutcomeStatus.TIMED_OUT, true)).isEqualTo(TrialVerdict.ERROR);
        assertThat(TrialVerdict.ofStored(OutcomeStatus.CANCELLED, true)).isEqualTo(TrialVerdict.NO_EVIDENCE);
    }

    private static List<CheckResult> checks(String letters) {
        List<CheckResult> checks = new ArrayList<>();
        for (char letter : letters.toCharArray()) {
            CheckResult.Status status = switch (Character.toUpperCase(letter)) {
                case 'P' -> CheckResult.Status.PASSED;
                case 'F' -> CheckResult.Status.FAILED;
                default -> CheckResult.Status.UNSCORED;
            };
            @Nullable Double score = status == CheckResult.Status.UNSCORED ? null : Double.valueOf(1);
            checks.add(new CheckResult("contains", status, score, "why", Character.isUpperCase(letter)));
        }
        return checks;
    }
}
