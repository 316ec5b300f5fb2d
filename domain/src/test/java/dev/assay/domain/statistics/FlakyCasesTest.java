package dev.assay.domain.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.json.Json;
import dev.assay.domain.statistics.FlakyCases.CaseTrials;
import dev.assay.domain.statistics.FlakyCases.FlakyCase;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlakyCasesTest {

    @Test
    void shouldHaveTheEndsOfItsIntervalBesideItsRate() {
        FlakyCase one = FlakyCases.of(List.of(new CaseTrials("a", 3, 1, 2, 0), new CaseTrials("b", 3, 0, 2, 1)))
                .flaky()
                .getFirst();

        assertThat(Json.tree(Json.write(one)).properties().stream().map(field -> field.getKey()))
                .containsExactly(
                        "caseId", "passed", "failed", "errors", "unknown", "disagreement", "passRate", "low", "high");
        assertThat(Json.read(Json.write(one), FlakyCase.class)).isEqualTo(one);
        assertThat(one.low()).isLessThan(0.75);
        assertThat(one.high()).isGreaterThan(0.75);
    }

    @Test
    void shouldReadWhatEarlierBuildsStored() {
        String stored = """
            {"caseId": "a", "passed": 1, "failed": 1, "errors": 0, "unknown": 0, "disagreement": 1.0, "passRate": 0.5,
             "interval": {"low": 0.25, "high": 0.75}}\
            """;

        assertThat(Json.read(stored, FlakyCase.class)).isEqualTo(new FlakyCase("a", 1, 1, 0, 0, 1, 0.5, 0.25, 0.75));
    }
}
