package dev.assay.domain.reducer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.domain.Vectors;
import dev.assay.domain.statistics.CaseCounts;
import dev.assay.domain.statistics.CaseScores;
import dev.assay.domain.statistics.ReducedRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReducerTest {

    @TestFactory
    Stream<DynamicTest> reducersOfScores() {
        return Vectors.tests(
                "trials.json",
                Map.of("reducers", ReducerTest::assertReduced),
                "caseGate",
                "suiteExit",
                "costWarning",
                "reducers");
    }

    private static void assertReduced(JsonNode input, JsonNode expected) {
        List<Double> scores = new ArrayList<>();
        int passed = 0;
        int unknown = 0;
        for (JsonNode trial : input.get("trials")) {
            if (trial.get("status").textValue().equals("none")) {
                unknown++;
            } else {
                passed += trial.get("status").textValue().equals("passed") ? 1 : 0;
                scores.add(trial.get("score").doubleValue());
            }
        }
        CaseCounts counts = new CaseCounts(passed, unknown, input.get("trials").size());
        assertThat(counts.known()).isEqualTo(expected.get("evidence").intValue());
        for (JsonNode name : input.get("reducers")) {
            Double reduced = requireNonNull(Reducer.named(name.textValue())).of(new CaseScores(counts, scores));
            if (expected.get(name.textValue()).isNull()) {
                assertThat(reduced).as(name.textValue()).isNull();
            } else {
                assertThat(reduced)
                        .as(name.textValue())
                        .isCloseTo(expected.get(name.textValue()).doubleValue(), within(1e-9));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        // name, passed, unknown, trials, value
        "pass_at_1, 3, 0, 5, 0.6",
        "pass_at_5, 1, 0, 5, 1",
        "pass_k_5, 4, 0, 5, 0",
        "pass_k_2, 3, 0, 5, 0.3",
        "at_least_3, 3, 0, 5, 1",
        "at_least_3, 2, 0, 5, 0",
        "at_least_2_of_3, 3, 0, 5, 0.7",
        "median, 3, 0, 5, 1",
        "median, 2, 0, 4, 0.5",
        "mean, 3, 0, 5, 0.6",
        "mode, 2, 0, 4, 0",
        "max, 1, 0, 4, 1",
        "min, 3, 0, 4, 0",
        // Of trials without evidence nothing is known: they are left out, and five are not there any more.
        "pass_at_1, 3, 1, 5, 0.75",
        "pass_at_5, 3, 1, 5,",
        "at_least_3, 2, 3, 5,",
        "mean, 0, 5, 5,",
    })
    void shouldReduceTheTrialsOfACaseByTheNamesThatUsersWrite(
            String name, int passed, int unknown, int trials, @Nullable Double value) {
        Reducer reducer = requireNonNull(Reducer.named(name));

        Double reduced = reducer.of(new CaseCounts(passed, unknown, trials));

        assertThat(reducer.name()).isEqualTo(name);
        if (value == null) {
            assertThat(reduced).isNull();
        } else {
            assertThat(reduced).isCloseTo(value, within(1e-12));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "pass_at",
                "pass_at_0",
                "pass_at_-1",
                "pass_at_1_of_2",
                "at_least_3_of_2",
                "Mean",
                "pass_at_9999999",
                "pass_at_1 "
            })
    void shouldKnowNoOtherName(String name) {
        assertThat(Reducer.named(name)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pass_at_3", "mean"})
    void shouldCountCasesWithoutAValueApart(String name) {
        ReducedRate rate = requireNonNull(Reducer.named(name))
                .rate(
                        Stream.of(new CaseCounts(2, 0, 3), new CaseCounts(0, 3, 3), new CaseCounts(3, 0, 3))
                                .map(CaseScores::of)
                                .toList(),
                        0.95);

        assertThat(rate.cases()).isEqualTo(2);
        assertThat(rate.undefined()).isEqualTo(1);
    }
}
