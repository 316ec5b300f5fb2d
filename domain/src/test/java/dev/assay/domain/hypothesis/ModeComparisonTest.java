package dev.assay.domain.hypothesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.domain.hypothesis.ModeComparison.Score;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModeComparisonTest {

    private static Score score(String composite, HypothesisVerdict verdict) {
        return new Score(new BigDecimal(composite), verdict);
    }

    @Test
    void shouldCompareWhatBothModesScored() {
        Map<String, Map<String, Score>> scores = new LinkedHashMap<>();
        scores.put(
                "single",
                Map.of(
                        "a", score("3.4", HypothesisVerdict.BORDERLINE),
                        "b", score("4", HypothesisVerdict.PASS),
                        "c", score("2", HypothesisVerdict.FAIL)));
        scores.put(
                "batched",
                Map.of("a", score("3.5", HypothesisVerdict.PASS), "b", score("3.95", HypothesisVerdict.PASS)));
        scores.put("individual", Map.of());

        assertThat(ModeComparison.of(scores))
                .containsExactly(
                        new ModeComparison("single", "batched", 2, new BigDecimal("0.075"), 1),
                        new ModeComparison("single", "individual", 0, null, 0),
                        new ModeComparison("batched", "individual", 0, null, 0));
    }
}
