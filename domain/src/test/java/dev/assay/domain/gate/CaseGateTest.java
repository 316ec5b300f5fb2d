package dev.assay.domain.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CaseGateTest {

    @TestFactory
    Stream<DynamicTest> cases() {
        return Vectors.tests("gates.json", Map.of("caseGate", CaseGateTest::assertGate), "caseGate");
    }

    @TestFactory
    Stream<DynamicTest> casesOfFastSkill() {
        return Vectors.tests(
                "trials.json",
                Map.of("caseGate", CaseGateTest::assertGate),
                "caseGate",
                "suiteExit",
                "costWarning",
                "reducers");
    }

    private static void assertGate(JsonNode input, JsonNode expected) {
        List<TrialVerdict> trials = new ArrayList<>();
        input.get("statuses")
                .forEach(status ->
                        trials.add(TrialVerdict.valueOf(status.textValue().toUpperCase(Locale.ROOT))));
        JsonNode gate = Json.mapper()
                .valueToTree(CaseGate.of(trials, input.get("threshold").doubleValue()));

        assertThat(gate.get("passCount").intValue())
                .isEqualTo(expected.get("passCount").intValue());
        assertThat(gate.get("totalTrials").intValue())
                .isEqualTo(expected.get("totalTrials").intValue());
        assertThat(gate.get("passRate").doubleValue())
                .isEqualTo(expected.get("passRate").doubleValue());
        assertThat(gate.get("status")).isEqualTo(expected.get("status"));
    }

    @ParameterizedTest
    @CsvSource({
        // passed, without evidence, total, threshold, status
        "3, 2, 5, 0.6, PASSED",
        "3, 2, 5, 0.61, INCONCLUSIVE",
        "3, 2, 5, 1.0, INCONCLUSIVE",
        "3, 1, 5, 1.0, FAILED",
        "0, 5, 5, 0.0, PASSED",
        "0, 5, 5, 0.1, INCONCLUSIVE",
    })
    void shouldBeInconclusiveWhenTrialsWithoutEvidenceCouldTurnIt(
            int passed, int noEvidence, int total, double threshold, CaseStatus status) {
        CaseGate gate = CaseGate.of(passed, noEvidence, total, threshold);

        assertThat(gate.status()).isEqualTo(status);
        assertThat(gate.passRate()).isEqualTo((double) passed / total);
    }

    @Test
    void shouldRefuseWhenACaseHasNoTrials() {
        assertThatIllegalArgumentException().isThrownBy(() -> CaseGate.of(List.of(), 1));
    }
}
