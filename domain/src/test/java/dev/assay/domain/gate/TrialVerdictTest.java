package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.check.rule.CheckResult;
import dev.assay.domain.outcome.Outcome;
import dev.assay.domain.outcome.OutcomeStatus;
import dev.assay.domain.trace.Evidence;
import dev.assay.domain.usage.Measured;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
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

            assertThat(TrialVerdict.ofStored(status, verdict.passed(), null)).isEqualTo(verdict);
        }
    }

    @Test
    void shouldNeverPassWhenTheStoreSaysThatAnErrorPassed() {
        assertThat(TrialVerdict.ofStored(OutcomeStatus.TIMED_OUT, true, null)).isEqualTo(TrialVerdict.ERROR);
        assertThat(TrialVerdict.ofStored(OutcomeStatus.CANCELLED, true, null)).isEqualTo(TrialVerdict.NO_EVIDENCE);
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        return Vectors.tests(
                "fastskill.json",
                Map.of("trialStatus", TrialVerdictTest::assertStatus),
                "promptsCsv",
                "checksToml",
                "evalToml",
                "runCheck",
                "trialStatus",
                "artifacts",
                "runDirectory");
    }

    private static void assertStatus(JsonNode input, JsonNode expected) {
        JsonNode ended = input.get("outcome");
        Integer exitCode = ended.has("exitCode") ? ended.get("exitCode").intValue() : null;
        OutcomeStatus status = ended.has("timedOut")
                ? OutcomeStatus.TIMED_OUT
                : ended.has("cannotStart") || new Evidence("", List.of(), null, exitCode).endedBySignal()
                        ? OutcomeStatus.MODEL_ERROR
                        : OutcomeStatus.COMPLETED;
        StringBuilder letters = new StringBuilder();
        for (JsonNode check : input.get("checks")) {
            String letter = check.get("passed").booleanValue() ? "P" : "F";
            letters.append(check.get("required").booleanValue() ? letter : letter.toLowerCase(Locale.ROOT));
        }
        assertThat(TrialVerdict.of(status, checks(letters.toString()), exitCode).name())
                .isEqualToIgnoringCase(expected.get("status").textValue());
    }

    @ParameterizedTest
    @CsvSource({
        "0, '', PASSED",
        "1, '', FAILED",
        "1, f, FAILED",
        "1, P, PASSED",
        "0, F, FAILED",
        "1, Pf, PASSED",
    })
    void shouldPassByTheExitCodeOnlyWhenNoCheckIsRequired(int exitCode, String checks, TrialVerdict verdict) {
        assertThat(TrialVerdict.of(OutcomeStatus.COMPLETED, checks(checks), exitCode))
                .isEqualTo(verdict);
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

    @ParameterizedTest
    @CsvSource({
        // status, checks, threshold, verdict, score: the letters as above
        "COMPLETED, PF, 0.5, PASSED, 0.5",
        "COMPLETED, PF, 0.51, FAILED, 0.5",
        "COMPLETED, F, 0, PASSED, 0",
        "COMPLETED, PU, 0.5, PASSED,",
        "COMPLETED, PU, 0.6, NO_EVIDENCE,",
        "COMPLETED, FU, 0.6, FAILED,",
        "COMPLETED, '', 0.5, PASSED, 1",
        "LIMIT, PF, 0.5, PASSED, 0.5",
        "LIMIT, '', 0.5, FAILED, 0",
        "TIMED_OUT, PP, 0.5, ERROR, 0",
        "CANCELLED, '', 0.5, NO_EVIDENCE,"
    })
    void shouldPassWhenTheMeanReachesTheThresholdWhateverSingleChecksSay(
            OutcomeStatus status, String letters, BigDecimal threshold, TrialVerdict verdict, @Nullable Double score) {
        List<CheckResult> checks = letters.chars()
                .mapToObj(letter -> switch (letter) {
                    case 'P' -> new CheckResult("contains", CheckResult.Status.PASSED, 1.0, "why", true);
                    case 'F' -> new CheckResult("contains", CheckResult.Status.FAILED, 0.0, "why", true);
                    default -> new CheckResult("cost", CheckResult.Status.UNSCORED, null, "why", true);
                })
                .toList();
        Outcome outcome = new Outcome(
                0,
                0,
                "s.b.1",
                new Outcome.End(status, null, 1),
                new Outcome.Answer(List.of(), 0, "answer"),
                Measured.NONE,
                checks);

        assertThat(TrialVerdict.of(outcome, threshold)).isEqualTo(verdict);
        assertThat(TrialScore.of(outcome)).isEqualTo(score);
    }
}
